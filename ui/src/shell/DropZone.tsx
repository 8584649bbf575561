import { FileDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { attachFiles, focusComposer } from "../conversation/draft";
import { jobs } from "../library/jobs";
import { t } from "../text/language";
import type { Route } from "./router";
import { onSignal } from "./signals";
import { showToast } from "./Toasts";

/** Takes files that are dropped anywhere or picked: in a conversation the next question is about them, elsewhere they join the library. */
export function DropZone({ route }: { route: Route }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const asking = route.view === "conversation";
  const take = useRef<(files: File[]) => void>(() => undefined);
  take.current = (files) => {
    if (files.length === 0) return;
    if (asking) {
      void attachFiles(files);
      focusComposer();
    } else void uploadToLibrary(files);
  };
  useEffect(() => onSignal("upload", () => input.current?.click()), []);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (hasFiles(event) && --depth <= 0) setOver(false);
    };
    const move = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      take.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", move);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", move);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="file-input"
        onChange={(event) => {
          const picked = [...(event.target.files ?? [])];
          event.target.value = "";
          take.current(picked);
        }}
      />
      {over && (
        <div className="pointer-events-none fixed inset-3 z-[80] grid animate-appear place-items-center rounded-3 border-2 border-accent border-dashed bg-[color-mix(in_srgb,var(--paper)_86%,transparent)]">
          <div className="flex flex-col items-center gap-2 text-center">
            <FileDown size={30} className="text-accent" aria-hidden />
            <b className="font-serif text-[20px]">{asking ? t("Ask about these files") : t("Add these files to the library")}</b>
          </div>
        </div>
      )}
    </>
  );
}

async function uploadToLibrary(files: File[]): Promise<void> {
  try {
    const upload = await api.upload(files);
    void jobs.follow(upload.job.id, upload.job);
  } catch (error) {
    const problem = Problem.from(error);
    showToast(`${problem.title}. ${problem.fix || problem.detail}`, "bad");
  }
}
