import { api } from "../api/client";
import { invalidateLibrary, useExclusions } from "../api/queries";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { fileName } from "./filePath";
import { jobs } from "./jobs";
import { notifyOnFailure } from "./notify";

/** What a person left out, with the way back. */
export function Exclusions() {
  const exclusions = useExclusions().data?.exclusions ?? [];
  if (exclusions.length === 0) return null;
  const takeBack = async (path: string) => {
    const { job_id } = await api.include(path);
    invalidateLibrary();
    if (job_id !== null) void jobs.follow(job_id); // a short one is over before /health tells of it
    showToast(t("{name} is read again.", { name: fileName(path) }));
  };
  return (
    <section className="card px-5 py-4" aria-label={t("Excluded by you")} data-testid="exclusions">
      <h2 className="font-semibold">{t("Excluded by you")}</h2>
      <ul className="mt-2 text-[13.5px]">
        {exclusions.map((item) => (
          <li key={item.path} className="flex items-baseline gap-3 border-line border-t py-1.5 first:border-t-0">
            <span className="min-w-0 truncate" title={item.path}>
              {item.path}
            </span>
            <button type="button" className="link ml-auto shrink-0" onClick={() => notifyOnFailure(takeBack(item.path))}>
              {t("Read it again")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
