import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Toggle } from "../parts/Toggle";
import { t } from "../text/language";
import { changeSetting } from "./settingQueries";
import { boundsWord, formatValue, knownSettings, lockReason, parseValue, type Setting, settingName, sourceWord } from "./settingValues";

interface Props {
  setting: Setting | undefined;
  mayChange: boolean;
  /** What may be chosen beside what the setting itself names. */
  suggestions?: readonly string[];
}

/** A setting: its name, its value to change, its default and where it is set. */
export function SettingRow({ setting, mayChange, suggestions }: Props) {
  const id = useId();
  const [error, setError] = useState<unknown>(null);
  if (!setting) return null;
  const locked = lockReason(setting, mayChange);
  const change = async (value: unknown) => {
    setError(null);
    try {
      await changeSetting(setting.key, value);
    } catch (problem) {
      setError(problem);
    }
  };
  const waits = JSON.stringify(setting.value) !== JSON.stringify(setting.active);
  return (
    <div className="border-line border-b py-3.5 last:border-b-0" data-setting={setting.key}>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-[280px]">
          <label htmlFor={id} className="font-[550]">
            {settingName(setting.key)}
          </label>
          {knownSettings[setting.key]?.[1] && <p className="mt-0.5 text-[13.5px] text-ink-2">{t(knownSettings[setting.key]?.[1] ?? "")}</p>}
        </div>
        <Control id={id} setting={setting} disabled={!mayChange || locked !== ""} suggestions={suggestions} onChange={change} />
      </div>
      <p className="num mt-1.5 flex flex-wrap gap-x-2 text-[12.5px] text-ink-3">
        <span title={setting.environment}>
          {sourceWord(setting.source)}
          {setting.source !== "default" && ` · ${t("default: {value}", { value: formatValue(setting, setting.default) })}`}
        </span>
        {setting.source === "page" && mayChange && (
          <button type="button" className="link" onClick={() => void change(null)}>
            {t("Reset")}
          </button>
        )}
        {waits && (
          <span className="text-warn">
            {t("Takes effect when the server is restarted; until then: {value}", { value: formatValue(setting, setting.active) })}
          </span>
        )}
        {locked && <span>{locked}</span>}
      </p>
      {error !== null && (
        <div className="mt-2">
          <ErrorMessage error={error} />
        </div>
      )}
    </div>
  );
}

interface ControlProps {
  id: string;
  setting: Setting;
  disabled: boolean;
  suggestions?: readonly string[] | undefined;
  onChange: (value: unknown) => Promise<void>;
}

function Control({ id, setting, disabled, suggestions, onChange }: ControlProps) {
  const choices = setting.choices ?? (suggestions && suggestions.length > 0 ? [...new Set([String(setting.value), ...suggestions])] : null);
  if (setting.kind === "boolean") return <Toggle id={id} on={setting.value === true} disabled={disabled} onChange={(on) => void onChange(on)} />;
  if (choices)
    return (
      <select
        id={id}
        className="field w-[240px]"
        value={String(setting.value)}
        disabled={disabled}
        onChange={(event) => void onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  return <TypedControl id={id} setting={setting} disabled={disabled} onChange={onChange} />;
}

/** A value that is typed: it is kept when the field is left or Enter is pressed, and Escape takes it back. */
function TypedControl({ id, setting, disabled, onChange }: ControlProps) {
  const now = Array.isArray(setting.value) ? setting.value.join(", ") : String(setting.value);
  const [typed, setTyped] = useState(now);
  useEffect(() => setTyped(now), [now]);
  const value = parseValue(setting, typed);
  const wrong = value === undefined;
  const commit = () => {
    if (!wrong && typed.trim() !== now) void onChange(value);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape") setTyped(now);
  };
  const numeric = setting.kind === "integer" || setting.kind === "number";
  return (
    <div className={numeric ? "w-[130px]" : "w-[240px]"}>
      <input
        id={id}
        className="field num"
        inputMode={numeric ? "decimal" : "text"}
        value={typed}
        disabled={disabled}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={press}
        spellCheck={false}
        autoComplete="off"
      />
      {wrong && (
        <p id={`${id}-wrong`} role="alert" className="mt-1 text-[12.5px] text-bad">
          {boundsWord(setting)}
        </p>
      )}
    </div>
  );
}
