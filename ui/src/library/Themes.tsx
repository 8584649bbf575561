import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { queryClient, useThemes } from "../api/queries";
import type { Community } from "../api/types";
import { entityPath, Link, openSource } from "../shell/router";
import { t } from "../text/language";
import { notifyOnFailure } from "./notify";
import { describeCoverage, describeTheme } from "./themeWords";

const FIRST = 6;
const MOST = 60;

/** What the library is about: groups of names that its documents relate to each other, each in the documents' own words. */
export function Themes() {
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState(false);
  const found = useThemes(all ? MOST : FIRST).data;
  if (!found || found.total === 0) return null;
  const refresh = async () => {
    setAsked(true);
    try {
      await api.refreshCommunities();
      await queryClient.invalidateQueries({ queryKey: ["themes"] });
    } finally {
      setAsked(false);
    }
  };
  return (
    <section aria-labelledby="themes" data-testid="themes">
      <div className="mb-2.5 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id="themes">{t("Themes")}</h2>
        <p className="num mr-auto text-[13px] text-ink-2">
          {describeCoverage(found)}
          {found.stale && ` · ${t("the documents changed since")}`}
        </p>
        {found.stale && (
          <button
            type="button"
            className="quietly flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]"
            disabled={asked}
            onClick={() => notifyOnFailure(refresh())}
          >
            <RefreshCw size={12} aria-hidden /> {t("Find them anew")}
          </button>
        )}
      </div>
      <ul className="grid gap-2.5 sm:grid-cols-2">
        {found.communities.map((theme) => (
          <Theme key={theme.id} theme={theme} />
        ))}
      </ul>
      {found.total > FIRST && (
        <button type="button" className="link mt-2 text-[13px]" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("fewer") : t("{n} more", { n: Math.min(found.total, MOST) - FIRST })}
        </button>
      )}
    </section>
  );
}

/** One theme: its names, what it is about, and sentences that open where they stand. */
function Theme({ theme }: { theme: Community }) {
  return (
    <li className="card min-w-0 px-5 py-3.5">
      <h3 className="truncate text-[15px] font-semibold" title={theme.name}>
        {theme.name}
      </h3>
      <p className="num text-[13px] text-ink-3">{describeTheme(theme)}</p>
      {theme.keywords.length > 0 && <p className="mt-1 text-[13px] text-ink-2">{theme.keywords.join(", ")}</p>}
      <ul className="mt-2 grid gap-1 font-serif text-[14.5px]">
        {theme.citations.slice(0, 2).map((said) => (
          <li key={`${said.document_id} ${said.start}`}>
            <button
              type="button"
              className="line-clamp-2 text-left hover:text-accent"
              title={said.filename}
              onClick={() => openSource({ document: said.document_id, start: said.start, end: said.end })}
            >
              {said.text}
            </button>
          </li>
        ))}
      </ul>
      <ul className="mt-2 flex flex-wrap gap-x-2.5 gap-y-1 text-[13px]">
        {theme.members.slice(0, 5).map((member) => (
          <li key={member.id} className="max-w-full truncate">
            <Link href={entityPath(member.id)} className="link">
              {member.name}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
