import { useId, useState } from "react";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Toggle } from "../parts/Toggle";
import { t } from "../text/language";
import { switchFeature, useFeatures } from "./settingQueries";
import { type Feature, lockReason, type Settings, sourceWord } from "./settingValues";

/** Every feature: on or off, by what, and why one that is on cannot run; those that may change while the server runs are switched here. */
export function FeatureList({ settings }: { settings: Settings }) {
  const [isOpen, setOpen] = useState(false);
  const features = useFeatures(isOpen);
  return (
    <details className="card px-5 py-4" data-testid="features" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-semibold">{t("Features")}</summary>
      <p className="mt-2 text-[13.5px] text-ink-2">{t("What searches and answers use. A switch holds from the next question on.")}</p>
      {features.error && <ErrorMessage error={features.error} onRetry={() => void features.refetch()} />}
      {features.data?.features.map((feature) => (
        <Row key={feature.name} feature={feature} settings={settings} />
      ))}
    </details>
  );
}

function Row({ feature, settings }: { feature: Feature; settings: Settings }) {
  const id = useId();
  const [error, setError] = useState<unknown>(null);
  const setting = settings.settings.find((one) => one.key === feature.setting);
  const locked = setting ? lockReason({ ...setting, change: feature.switch === "now" ? "now" : "file" }, true) : "";
  // An administrator of one tenant of several may not change settings, but may switch features: only administrators are told of keys.
  const mayChange = settings.may_change || settings.keys !== null;
  const change = (on: boolean | null) => {
    setError(null);
    switchFeature(feature.name, on).catch(setError);
  };
  return (
    <div className="border-line border-b py-3 last:border-b-0" data-feature={feature.name}>
      <div className="flex items-start gap-x-6">
        <div className="min-w-0 flex-1" lang="en">
          <label htmlFor={id} className="font-[550] first-letter:uppercase inline-block">
            {feature.name.replaceAll("_", " ")}
          </label>
          <p className="text-[13.5px] text-ink-2">{feature.effect}</p>
        </div>
        <Toggle id={id} on={feature.enabled} disabled={!mayChange || locked !== ""} onChange={change} />
      </div>
      <p className="mt-1 flex flex-wrap gap-x-2 text-[12.5px] text-ink-3">
        <span title={feature.setting}>{sourceWord(feature.source)}</span>
        {feature.source === "tenant" && mayChange && (
          <button type="button" className="link" onClick={() => change(null)}>
            {t("Reset")}
          </button>
        )}
        {feature.why && (
          <span lang="en" className={feature.enabled ? "text-warn" : ""}>
            {feature.why}
          </span>
        )}
        {locked && <span>{locked}</span>}
      </p>
      {error !== null && <ErrorMessage error={error} />}
    </div>
  );
}
