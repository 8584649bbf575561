import { useId, useState } from "react";
import { api } from "../api/client";
import { queryClient, useEmbedder } from "../api/queries";
import { EmbedderStatus } from "../library/EmbedderStatus";
import { ErrorMessage } from "../parts/ErrorMessage";
import { t } from "../text/language";

/** The model that passages are found by, and the choice among those that are installed. */
export function EmbeddingModel({ mayChange }: { mayChange: boolean }) {
  const id = useId();
  const state = useEmbedder().data;
  const [chosen, setChosen] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const now = state?.coming || state?.model || "";
  const wanted = chosen || now;
  const choices = [...new Set([now, ...(state?.choices ?? [])])];
  const change = async () => {
    setBusy(true);
    setError(null);
    try {
      queryClient.setQueryData(["embedder"], await api.switchEmbedder(wanted));
      setChosen("");
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="border-line border-b py-3.5" data-testid="embedding-model">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-[280px]">
          <label htmlFor={id} className="font-[550]">
            {t("Embedding model")}
          </label>
          <p className="mt-0.5 text-[13.5px] text-ink-2">{t("Finds passages by meaning.")}</p>
        </div>
        <select
          id={id}
          className="field w-[240px]"
          value={wanted}
          disabled={!mayChange || busy || choices.length < 2 || state?.coming !== ""}
          onChange={(event) => setChosen(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </div>
      {state?.choices.length === 0 && (
        <p className="mt-1.5 text-[12.5px] text-ink-3">{t("Set by embedding.model: change it there and start Vantage again.")}</p>
      )}
      {wanted !== now && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-[280px] text-[13.5px] text-ink-2">
            {t("Your documents are prepared for it while questions are asked; it takes over when all are ready.")}
          </p>
          <button type="button" className="button" data-kind="main" disabled={busy} onClick={() => void change()}>
            {busy ? t("Loading it…") : t("Switch")}
          </button>
        </div>
      )}
      {error !== null && (
        <div className="mt-2">
          <ErrorMessage error={error} />
        </div>
      )}
      <div className="mt-2 empty:hidden">
        <EmbedderStatus />
      </div>
    </div>
  );
}
