import type { components } from "../api/schema";
import { mark, t } from "../text/language";

export type Setting = components["schemas"]["SettingOut"];
export type Settings = components["schemas"]["SettingsOut"];
export type Feature = components["schemas"]["FeatureOut"];
export type LanguageModels = components["schemas"]["LanguageModelsOut"];
export type ModelTest = components["schemas"]["ModelTestOut"];

/** Name and explanation of the settings that have a place of their own on the page. */
export const knownSettings: Readonly<Record<string, readonly [name: string, about: string]>> = {
  "ollama.enabled": [mark("Use a language model"), mark("auto: when Ollama answers and has the model. Without one, answers quote your documents.")],
  "ollama.unified_model.name": [mark("Language model"), mark("The model that Ollama runs to write answers.")],
  "answers.max_words": [mark("Words in an answer"), mark("At most, for answers quoted from your documents.")],
  "answers.max_sentences": [mark("Sentences in an answer"), mark("At most, for answers quoted from your documents.")],
  "search.spelling": [mark("Correct spelling"), mark("Misspelt words of a question are read as words of your library, and the answer says so.")],
  "search.cross_language": [mark("Search across languages"), mark("auto: as soon as a document or a question is not in English.")],
  "ingestion.ocr.languages": [
    mark("Languages of scanned pages"),
    mark("Two-letter codes, separated by commas, such as de, en. Empty: they are recognised."),
  ],
  "memory.enabled": [mark("Memory"), mark("Earlier questions, preferences and notes help with new questions.")],
  "memory.agentic_memory.enabled": [mark("Notes"), mark("Notes are made of what you ask to remember, correct or rate well.")],
  "storage.conversations_days": [mark("Conversations"), mark("Counted from their last use.")],
  "storage.traces_days": [mark("Traces"), mark("How each answer came about.")],
  "storage.traces_mb": [mark("Space for traces"), mark("In MB; the oldest are removed first.")],
  "storage.feedback_days": [mark("Feedback"), mark("Ratings, opened citations and corrections.")],
  "storage.episodes_days": [mark("Earlier questions in memory"), mark("Notes stay.")],
  "storage.jobs_days": [mark("Finished indexing jobs"), ""],
  "storage.uploads_days": [mark("Uploaded files"), mark("With their documents and everything that quotes them.")],
};

export const settingName = (key: string): string => (knownSettings[key] ? t(knownSettings[key][0]) : key);

export const groups = {
  answers: ["answers.max_words", "answers.max_sentences", "search.spelling"],
  languages: ["search.cross_language", "ingestion.ocr.languages"],
  memory: ["memory.enabled", "memory.agentic_memory.enabled"],
  retention: [
    "storage.conversations_days",
    "storage.traces_days",
    "storage.traces_mb",
    "storage.feedback_days",
    "storage.episodes_days",
    "storage.jobs_days",
    "storage.uploads_days",
  ],
} as const;

const isDays = (key: string): boolean => key.endsWith("_days");

/** A value in words: days, a switch, a list, or as it is. */
export function formatValue(setting: Pick<Setting, "key" | "kind">, value: unknown): string {
  if (setting.kind === "secret") return value ? t("set, not shown") : t("not set");
  if (isDays(setting.key) && value === 0) return t("kept until deleted");
  if (isDays(setting.key)) return t("{n} days", { n: String(value) });
  if (typeof value === "boolean") return value ? t("on") : t("off");
  if (Array.isArray(value))
    return value.length > 0 ? value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ") : t("none");
  return value === "" ? t("empty") : String(value);
}

const sources: Readonly<Record<Feature["source"], string>> = {
  default: mark("the default"),
  "config.yaml": mark("set in config.yaml"),
  page: mark("set on this page"),
  tenant: mark("set on this page"),
  environment: mark("set by the environment"),
  flag: mark("set by a command-line flag"),
};

export const sourceWord = (source: Feature["source"]): string => t(sources[source]);

/** Why the page cannot change it; "" where it can. */
export function lockReason(setting: Setting, mayChange: boolean): string {
  if (setting.source === "environment") return t("{name} sets this. Remove the variable to change it here.", { name: setting.environment });
  if (setting.source === "flag") return t("A command-line flag sets this.");
  return mayChange && setting.change !== "file" ? "" : setting.change === "file" ? t("Only config.yaml or the environment can change this.") : "";
}

/** What was typed as the value of the setting; undefined where it is none. */
export function parseValue(setting: Setting, typed: string): unknown {
  const text = typed.trim();
  if (setting.kind === "array") return text === "" ? [] : text.split(/[\s,;]+/).filter(Boolean);
  if (setting.kind !== "integer" && setting.kind !== "number") return text;
  const value = Number(text);
  if (text === "" || !Number.isFinite(value) || (setting.kind === "integer" && !Number.isInteger(value))) return undefined;
  if ((setting.minimum !== null && value < setting.minimum) || (setting.maximum !== null && value > setting.maximum)) return undefined;
  return value;
}

/** What a number may be. */
export function boundsWord(setting: Setting): string {
  if (setting.minimum !== null && setting.maximum !== null)
    return t("A number from {least} to {most}.", { least: setting.minimum, most: setting.maximum });
  return t("A number of at least {least}.", { least: setting.minimum ?? 0 });
}
