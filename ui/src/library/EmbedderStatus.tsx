import { useState } from "react";
import { api } from "../api/client";
import { queryClient, useEmbedder } from "../api/queries";
import { t } from "../text/language";
import { describeEmbedder } from "./modelSwitch";
import { notifyOnFailure } from "./notify";

/** One line where a better model for finding passages is there, or gets ready; nothing otherwise. */
export function EmbedderStatus() {
  const [opening, setOpening] = useState(false);
  const line = describeEmbedder(useEmbedder().data);
  if (!line) return null;
  const change = async () => {
    setOpening(true);
    try {
      queryClient.setQueryData(["embedder"], await api.switchEmbedder(line.model));
    } finally {
      setOpening(false);
    }
  };
  return (
    <section
      className="card flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-[13.5px] text-ink-2"
      aria-label={t("Model")}
      data-testid="embedder"
    >
      <p className="num min-w-0 flex-1 basis-[280px]" role={line.done ? undefined : "status"}>
        {line.text.map((piece, index) => (index % 2 === 1 ? <code key={piece}>{piece}</code> : piece))}
      </p>
      {line.done && <Progress done={line.done} />}
      {line.model && (
        <button type="button" className="button" disabled={opening} onClick={() => notifyOnFailure(change())}>
          {opening ? t("Loading it…") : t("Switch")}
        </button>
      )}
    </section>
  );
}

function Progress({ done: [filled, documents] }: { done: [number, number] }) {
  return (
    <div
      role="progressbar"
      aria-label={t("Documents ready for the new model")}
      aria-valuemin={0}
      aria-valuemax={documents}
      aria-valuenow={filled}
      className="h-[7px] w-[180px] overflow-hidden rounded-full bg-line"
    >
      <i
        className="block h-full rounded-full bg-accent transition-[width] duration-200 ease-calm"
        style={{ width: `${documents > 0 ? (filled / documents) * 100 : 0}%` }}
      />
    </div>
  );
}
