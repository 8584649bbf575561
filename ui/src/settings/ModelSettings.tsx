import { useState } from "react";
import { api } from "../api/client";
import { ErrorMessage } from "../parts/ErrorMessage";
import { formatSeconds } from "../text/format";
import { t } from "../text/language";
import { EmbeddingModel } from "./EmbeddingModel";
import { SettingRow } from "./SettingRow";
import { useLanguageModels } from "./settingQueries";
import type { ModelTest, Setting } from "./settingValues";

interface Props {
  of: (key: string) => Setting | undefined;
  mayChange: boolean;
}

/** The model that finds passages and the one that writes. */
export function ModelSettings({ of, mayChange }: Props) {
  const models = useLanguageModels();
  const found = models.data;
  return (
    <>
      <EmbeddingModel mayChange={mayChange} />
      <SettingRow setting={of("ollama.enabled")} mayChange={mayChange} />
      <SettingRow setting={of("ollama.unified_model.name")} mayChange={mayChange} suggestions={found?.models ?? []} />
      {found && !found.reachable && (
        <p className="border-line border-b py-3 text-[13.5px] text-ink-2" data-testid="no-ollama">
          {found.detail}
        </p>
      )}
      {mayChange && <ModelTrial />}
    </>
  );
}

/** Asks the model one short thing. */
function ModelTrial() {
  const [result, setResult] = useState<ModelTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setError(null);
    setResult(null);
    try {
      setResult(await api.testModel(""));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3 py-3.5">
      <button type="button" className="button" disabled={busy} onClick={() => void test()}>
        {busy ? t("Waiting for the model…") : t("Test the language model")}
      </button>
      <div role="status" className="num min-w-0 flex-1 basis-[260px] break-words text-[13.5px]" data-testid="model-test">
        {result?.answered && (
          <span className="text-good">
            {t("{model} replied after {time}: “{reply}”", { model: result.model, time: formatSeconds(result.seconds), reply: result.reply })}
          </span>
        )}
        {result && !result.answered && <span className="text-bad">{result.detail}</span>}
      </div>
      {error !== null && (
        <div className="w-full">
          <ErrorMessage error={error} />
        </div>
      )}
    </div>
  );
}
