import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useFolders, useLedger } from "../api/queries";
import { shortenPath } from "../text/format";
import { t } from "../text/language";
import { fileName } from "./filePath";
import { ALL_DOCUMENTS, isNarrowed, KINDS, type Listing, showListing, UNREAD } from "./listing";

/** What narrows the list of documents. */
export function Filters({ listing, total }: { listing: Listing; total: string }) {
  const show = (change: Partial<Listing>) => showListing({ ...listing, ...change });
  return (
    <div className="flex flex-wrap items-center gap-2 px-2.5 pt-2.5 pb-2" role="group" aria-label={t("Which documents are listed")}>
      <h2 className="mr-auto font-semibold">
        {t("Documents")}{" "}
        <span className="num ml-1 font-normal text-ink-3" role="status">
          {total}
        </span>
      </h2>
      <NameField value={listing.text} onChange={(text) => show({ text })} />
      <Choice label={t("Type")} value={listing.kind} onChange={(kind) => show({ kind })} all={t("All types")}>
        {KINDS.map(([name, label]) => (
          <option key={name} value={name}>
            {t(label)}
          </option>
        ))}
      </Choice>
      <FolderChoice value={listing.folder} onChange={(folder) => show({ folder })} />
      <Choice label={t("State")} value={listing.state} onChange={(state) => show({ state })} all={t("All states")}>
        <option value="partial">{t("Partly read")}</option>
        <option value={UNREAD}>{t("Not read")}</option>
      </Choice>
      <div className="flex flex-wrap items-center gap-2">
        <DayField label={t("Changed from")} short={t("from")} value={listing.since} onChange={(since) => show({ since })} />
        <DayField label={t("Changed until")} short={t("until")} value={listing.until} onChange={(until) => show({ until })} />
      </div>
      {isNarrowed(listing) && (
        <button
          type="button"
          className="quietly flex h-8 items-center gap-1 px-2 text-[13px]"
          onClick={() => showListing({ ...ALL_DOCUMENTS, sort: listing.sort, descending: listing.descending })}
        >
          <X size={13} aria-hidden /> {t("Show all")}
        </button>
      )}
    </div>
  );
}

/** What is typed is on the screen at once, and in the address a moment later. */
function NameField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), 150);
    return () => clearTimeout(timer);
  });
  return (
    <label className="relative w-[200px] max-w-full max-sm:w-full">
      <span className="sr-only">{t("Find a document by its name")}</span>
      <Search size={14} aria-hidden className="absolute top-[9px] left-2.5 text-ink-3" />
      <input
        className="field h-8 pl-8 text-[13.5px]"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={t("Find by name")}
      />
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  all: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

export const Choice = ({ label, value, all, onChange, children }: ChoiceProps) => (
  <select
    aria-label={label}
    className={`field h-8 w-auto max-w-[190px] py-0 pr-7 text-[13.5px] ${value ? "border-accent" : ""}`}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{all}</option>
    {children}
  </select>
);

export const DayField = ({ label, short, value, onChange }: { label: string; short: string; value: string; onChange: (day: string) => void }) => (
  <label className="flex items-center gap-1.5 text-[13px] text-ink-3">
    {short}
    <input
      type="date"
      aria-label={label}
      className={`field h-8 w-[138px] px-2 py-0 text-[13.5px] ${value ? "border-accent" : ""}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

/** The indexed folders; where one is chosen, those around it and those in it. */
export function FolderChoice({ value, onChange }: { value: string; onChange: (folder: string) => void }) {
  const roots = useLedger().data?.roots.map((root) => root.path) ?? [];
  const inner = useFolders(value, value !== "").data?.folders.map((folder) => folder.path) ?? [];
  const root = roots.filter((path) => value === path || value.startsWith(`${path}/`)).sort((a, b) => b.length - a.length)[0];
  const around = root ? listFoldersDownTo(root, value) : value ? [value] : [];
  return (
    <Choice label={t("Folder")} value={value} onChange={onChange} all={t("All folders")}>
      {roots.map((path) => (
        <option key={path} value={path}>
          {shortenPath(path, 40)}
        </option>
      ))}
      {around.length + inner.length > 0 && (
        <optgroup label={t("In {place}", { place: fileName(root ?? value) })}>
          {[...around, ...inner].map((path) => (
            <option key={path} value={path}>
              {shortenPath(path.slice((root ?? "").length + 1) || path, 40)}
            </option>
          ))}
        </optgroup>
      )}
    </Choice>
  );
}

/** The folders from below `root` down to `folder`. */
function listFoldersDownTo(root: string, folder: string): string[] {
  const steps = folder.slice(root.length).split("/").filter(Boolean);
  return steps.map((_, index) => `${root}/${steps.slice(0, index + 1).join("/")}`);
}
