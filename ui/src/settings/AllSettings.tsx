import { useDeferredValue, useState } from "react";
import { t } from "../text/language";
import { formatValue, type Setting, type Settings, settingName, sourceWord } from "./settingValues";

/** Every setting with what to write into config.yaml to change it. */
export function AllSettings({ settings }: { settings: Settings }) {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim().toLowerCase());
  const found = settings.settings.filter((setting) => `${setting.key} ${settingName(setting.key)}`.toLowerCase().includes(text));
  return (
    <details className="card px-5 py-4" data-testid="all-settings">
      <summary className="cursor-pointer font-semibold">{t("All settings ({n})", { n: settings.settings.length })}</summary>
      <p className="mt-2 text-[13.5px] text-ink-2">
        {settings.config_file
          ? t("Settings that have no control above are changed in {file} or by an environment variable, and take effect at the next start.", {
              file: settings.config_file,
            })
          : t("Settings that have no control above are changed in config.yaml or by an environment variable, and take effect at the next start.")}
      </p>
      <input
        className="field mt-3"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        aria-label={t("Find a setting")}
        placeholder={t("Find a setting")}
      />
      <ul className="mt-2">
        {found.map((setting) => (
          <Line key={setting.key} setting={setting} />
        ))}
      </ul>
      {found.length === 0 && <p className="py-3 text-[14px] text-ink-2">{t("No settings match.")}</p>}
    </details>
  );
}

function Line({ setting }: { setting: Setting }) {
  return (
    <li className="border-line border-b py-2.5 text-[13.5px] last:border-b-0">
      <details>
        <summary className="num flex cursor-pointer flex-wrap gap-x-3">
          <code className="min-w-0 break-all">{setting.key}</code>
          <span className="ml-auto min-w-0 break-all text-right">{formatValue(setting, setting.value)}</span>
        </summary>
        <dl className="num mt-2 grid grid-cols-[110px_minmax(0,1fr)] gap-x-4 gap-y-1 text-ink-2">
          <dt className="text-ink-3">{t("Default")}</dt>
          <dd className="break-all">{formatValue(setting, setting.default)}</dd>
          <dt className="text-ink-3">{t("Now")}</dt>
          <dd>{sourceWord(setting.source)}</dd>
          <dt className="text-ink-3">{t("Environment")}</dt>
          <dd className="break-all">
            <code>{setting.environment}</code>
          </dd>
          <dt className="text-ink-3">config.yaml</dt>
          <dd>
            <pre className="overflow-x-auto">{setting.line}</pre>
          </dd>
        </dl>
      </details>
    </li>
  );
}
