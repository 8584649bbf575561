import { FolderPlus } from "lucide-react";
import { useState } from "react";
import { useLedger } from "../api/queries";
import { ForgetFolderDialog } from "../library/ForgetFolderDialog";
import { Link } from "../shell/router";
import { sendSignal } from "../shell/signals";
import { formatPlural } from "../text/format";
import { t } from "../text/language";

/** The folders that are read: one can be added or forgotten here, as in the library. */
export function FolderSettings({ mayChange }: { mayChange: boolean }) {
  const roots = useLedger().data?.roots ?? [];
  const [forgetting, setForgetting] = useState("");
  return (
    <>
      <ul className="mt-2 grid gap-1.5 text-[14px]" data-testid="settings-folders">
        {roots.map((root) => (
          <li key={root.path + root.collection} className="flex flex-wrap items-center gap-x-3">
            <code className="min-w-0 break-all text-[13.5px]">{root.path}</code>
            <span className="num ml-auto text-ink-3">{formatPlural(root.files, "file")}</span>
            {mayChange && (
              <button
                type="button"
                className="quietly px-1.5 py-1 text-[12.5px]"
                aria-label={t("Forget {name}", { name: root.path })}
                onClick={() => setForgetting(root.path)}
              >
                {t("Forget")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {roots.length === 0 && <p className="mt-2 text-[14px] text-ink-2">{t("No folder has been added yet.")}</p>}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {mayChange && (
          <button type="button" className="button" onClick={() => sendSignal("add-folder")}>
            <FolderPlus size={15} aria-hidden /> {t("Add folder")}
          </button>
        )}
        <Link href="/app/library" className="link text-[14px]">
          {t("Show in the library")}
        </Link>
      </div>
      {forgetting && <ForgetFolderDialog path={forgetting} onClose={() => setForgetting("")} />}
    </>
  );
}
