import { type ReactNode, useId } from "react";
import { ErrorMessage } from "../parts/ErrorMessage";
import { setTheme, type Theme, useTheme } from "../shell/theme";
import { useTitle } from "../shell/title";
import { chosenLanguage, mark, setLanguage, t } from "../text/language";
import { AllSettings } from "./AllSettings";
import { FeatureList } from "./FeatureList";
import { FolderSettings } from "./FolderSettings";
import { ModelSettings } from "./ModelSettings";
import { NoticeSettings } from "./NoticeSettings";
import { SettingRow } from "./SettingRow";
import { useSettings } from "./settingQueries";
import { groups, type Settings } from "./settingValues";

/** Every setting: its value, its default and where it is set; what may change while the server runs is changed here. */
export function SettingsPage() {
  const settings = useSettings();
  useTitle(t("Settings"));
  return (
    <main className="h-full overflow-y-auto" data-testid="settings">
      <div className="mx-auto w-full max-w-[860px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        <h1 aria-busy={settings.isPending}>{t("Settings")}</h1>
        <div className="mt-6 grid gap-6">
          <Appearance />
          {settings.error && <ErrorMessage error={settings.error} onRetry={() => void settings.refetch()} />}
          {settings.data && <ServerSettings settings={settings.data} />}
        </div>
      </div>
    </main>
  );
}

function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card px-5 py-4" aria-labelledby={id}>
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {about && <p className="mt-0.5 text-[13.5px] text-ink-3">{about}</p>}
      {children}
    </section>
  );
}

const themes: readonly (readonly [Theme, string])[] = [
  ["system", mark("As the system")],
  ["light", mark("Light")],
  ["dark", mark("Dark")],
];

/** What this browser keeps for itself. */
function Appearance() {
  const theme = useTheme();
  const themeId = useId();
  const languageId = useId();
  return (
    <Section title={t("Appearance")} about={t("Stored in this browser.")}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-b py-3.5">
        <label htmlFor={languageId} className="min-w-0 flex-1 basis-[280px] font-[550]">
          {t("Language of this page")}
        </label>
        <select
          id={languageId}
          className="field w-[240px]"
          defaultValue={chosenLanguage() ?? ""}
          onChange={(event) => void setLanguage(event.target.value === "" ? null : (event.target.value as "en" | "de"))}
        >
          <option value="">{t("As the browser")}</option>
          <option value="en" lang="en">
            English
          </option>
          <option value="de" lang="de">
            Deutsch
          </option>
        </select>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-b py-3.5">
        <label htmlFor={themeId} className="min-w-0 flex-1 basis-[280px] font-[550]">
          {t("Theme")}
        </label>
        <select id={themeId} className="field w-[240px]" value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
          {themes.map(([name, label]) => (
            <option key={name} value={name}>
              {t(label)}
            </option>
          ))}
        </select>
      </div>
      <NoticeSettings />
    </Section>
  );
}

function ServerSettings({ settings }: { settings: Settings }) {
  const of = (key: string) => settings.settings.find((setting) => setting.key === key);
  const rows = (keys: readonly string[]) => keys.map((key) => <SettingRow key={key} setting={of(key)} mayChange={settings.may_change} />);
  return (
    <>
      {settings.why_not && (
        <p role="note" className="card px-5 py-3.5 text-[14px] text-ink-2" data-testid="read-only">
          {settings.why_not}
        </p>
      )}
      <Section title={t("Models")}>
        <ModelSettings of={of} mayChange={settings.may_change} />
      </Section>
      <Section title={t("Answers")}>{rows(groups.answers)}</Section>
      <Section title={t("Languages")}>{rows(groups.languages)}</Section>
      <Section title={t("Memory")}>{rows(groups.memory)}</Section>
      <Section title={t("Folders")}>
        <FolderSettings mayChange={settings.may_change} />
      </Section>
      <Section
        title={t("Retention")}
        about={t("How many days each kind is kept; 0 keeps it until somebody deletes it. What is older is deleted within the hour.")}
      >
        {rows(groups.retention)}
      </Section>
      {settings.keys && <KeyHolders keys={settings.keys} />}
      <FeatureList settings={settings} />
      <AllSettings settings={settings} />
    </>
  );
}

function KeyHolders({ keys }: { keys: NonNullable<Settings["keys"]> }) {
  return (
    <Section title={t("Keys")} about={t("Set in server.api_keys. The keys themselves are never shown.")}>
      <table className="grid-table mt-2" data-testid="key-holders">
        <thead>
          <tr>
            <th scope="col">{t("Person")}</th>
            <th scope="col">{t("Role")}</th>
            <th scope="col" className="text-right!">
              {t("Keys")}
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((holder) => (
            <tr key={`${holder.person} ${holder.role}`}>
              <td>{holder.person}</td>
              <td>{holder.role}</td>
              <td className="num text-right">{holder.keys}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
