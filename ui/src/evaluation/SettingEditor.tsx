import { useId } from "react";
import type { StageName } from "../api/types";
import { formatDecimals } from "../text/format";
import { mark, t } from "../text/language";
import { stageLabel, stages } from "../traces/traceLabels";
import { canSearch, firstWeights, fusions, LARGEST_RERANK, type Setting, strategies, weighed } from "./searchSetting";

const weightWords = { lexical: mark("words"), dense: mark("meaning"), graph: mark("graph"), time: mark("time") } as const;
/** What nothing is remembered of cannot be left out. */
const removable = stages.filter((stage) => stage.name !== "memory");

interface Props {
  setting: Setting;
  onChange: (setting: Setting) => void;
}

/** How one side searches: its strategy, the weights of the legs, the stages that it leaves out, and what else a question can be given. */
export function SettingEditor({ setting, onChange }: Props) {
  const id = useId();
  const change = (part: Partial<Setting>) => onChange({ ...setting, ...part });
  const toggle = (stage: StageName) =>
    change({ without: setting.without.includes(stage) ? setting.without.filter((name) => name !== stage) : [...setting.without, stage] });
  return (
    <div className="flex flex-col gap-3.5 text-[14px]">
      <div>
        <label htmlFor={`${id}-strategy`} className="mb-1 block font-[550]">
          {t("Strategy")}
        </label>
        <select
          id={`${id}-strategy`}
          className="field"
          value={setting.strategy}
          onChange={(event) => change({ strategy: event.target.value as Setting["strategy"] })}
        >
          {strategies.map(([name, what]) => (
            <option key={name} value={name}>
              {t(name)}: {t(what)}
            </option>
          ))}
        </select>
      </div>
      {setting.strategy !== "basic" && <WeightSliders setting={setting} change={change} />}
      <fieldset>
        <legend className="mb-1.5 font-[550]">{t("Leave out")}</legend>
        <div className="flex flex-wrap gap-1.5">
          {removable.map((stage) => (
            <button
              key={stage.name}
              type="button"
              className="pill aria-pressed:border-warn aria-pressed:text-warn aria-pressed:line-through"
              aria-pressed={setting.without.includes(stage.name)}
              title={t(stage.what)}
              onClick={() => toggle(stage.name)}
            >
              {stageLabel(stage.name)}
            </button>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-3">
        <div>
          <label htmlFor={`${id}-fusion`} className="mb-1 block text-[13px] text-ink-2">
            {t("Fusion")}
          </label>
          <select
            id={`${id}-fusion`}
            className="field"
            value={setting.fusion}
            onChange={(event) => change({ fusion: event.target.value as Setting["fusion"] })}
          >
            <option value="">{t("as set")}</option>
            {fusions.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor={`${id}-rerank`} className="mb-1 block text-[13px] text-ink-2">
            {t("Weight of the rerank")}
          </label>
          <input
            id={`${id}-rerank`}
            type="number"
            className="field num"
            min={0}
            max={LARGEST_RERANK}
            step={0.25}
            placeholder={t("as set")}
            value={setting.rerank ?? ""}
            onChange={(event) => change({ rerank: event.target.value === "" ? null : Math.min(LARGEST_RERANK, Math.max(0, +event.target.value)) })}
          />
        </div>
        <Slider id={`${id}-variety`} label={t("Variety")} value={setting.variety} onChange={(variety) => change({ variety })} />
      </div>
    </div>
  );
}

function WeightSliders({ setting, change }: { setting: Setting; change: (part: Partial<Setting>) => void }) {
  const id = useId();
  const { weights } = setting;
  return (
    <fieldset>
      <legend className="sr-only">{t("Weights")}</legend>
      <label className="flex items-center gap-2 font-[550]">
        <input
          type="checkbox"
          className="size-4 accent-(--accent)"
          checked={weights !== null}
          onChange={(event) => change({ weights: event.target.checked ? firstWeights : null })}
        />
        {t("Weights of its own")}
      </label>
      {weights && (
        <div className="mt-2 grid gap-x-5 gap-y-2 sm:grid-cols-2">
          {weighed.map((name) => (
            <Slider
              key={name}
              id={`${id}-${name}`}
              label={t(weightWords[name])}
              value={weights[name]}
              onChange={(value) => change({ weights: { ...weights, [name]: value } })}
            />
          ))}
        </div>
      )}
      {!canSearch(setting) && (
        <p role="alert" className="mt-1.5 text-[13px] text-bad">
          {t("Time finds nothing by itself: give words, meaning or the graph a weight.")}
        </p>
      )}
    </fieldset>
  );
}

function Slider({ id, label, value, onChange }: { id: string; label: string; value: number; onChange: (value: number) => void }) {
  return (
    <div>
      <label htmlFor={id} className="flex justify-between text-[13px] text-ink-2">
        {label} <span className="num text-ink">{formatDecimals(value, 2)}</span>
      </label>
      <input
        id={id}
        type="range"
        className="w-full accent-(--accent)"
        min={0}
        max={1}
        step={0.05}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}
