import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useDocumentPages } from "../api/queries";
import type { Doc } from "../api/types";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { documentPath, Link } from "../shell/router";
import { bytes, count, plural } from "../text/format";

/** Every document, by name. */
export function Documents() {
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim());
  const pages = useDocumentPages(text);
  const documents = pages.data?.pages.flatMap((page) => page.documents) ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label="Documents" data-testid="documents">
      <div className="flex items-center gap-3 px-2.5 pt-2.5 pb-1">
        <h2 className="mr-auto font-semibold">
          Documents <span className="num ml-1 font-normal text-ink-3">{count(total)}</span>
        </h2>
        <label className="relative w-[220px] max-w-[50%]">
          <span className="sr-only">Find a document by its name</span>
          <Search size={14} aria-hidden className="absolute top-[9px] left-2.5 text-ink-3" />
          <input
            className="field h-8 pl-8 text-[13.5px]"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder="Find by name"
          />
        </label>
      </div>
      <table className="grid-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="max-md:hidden">
              What it is
            </th>
            <th scope="col" className="max-sm:hidden">
              Length
            </th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </tbody>
      </table>
      {documents.length === 0 && pages.isSuccess && (
        <p className="px-2.5 py-3 text-ink-2">{text ? `No document has “${text}” in its name or title.` : "None yet."}</p>
      )}
      {pages.hasNextPage && (
        <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void pages.fetchNextPage()}>
          Show more
        </button>
      )}
    </section>
  );
}

function DocumentRow({ document }: { document: Doc }) {
  const stem = document.filename.replace(/\.[^.]+$/, "");
  const title = document.title && document.title !== document.filename && document.title !== stem ? document.title : "";
  return (
    <tr>
      <td className="max-w-[420px] max-sm:max-w-[52vw]">
        <Link
          href={documentPath(document.id)}
          className="block truncate font-semibold hover:underline hover:decoration-line-strong hover:underline-offset-4"
        >
          {document.filename}
        </Link>
        {title && <span className="block truncate text-[13px] text-ink-3">{title}</span>}
      </td>
      <td className="text-ink-2 max-md:hidden">{document.doc_type.replaceAll("_", " ") || document.file_type}</td>
      <td className="num whitespace-nowrap text-ink-2 max-sm:hidden">
        {document.pages > 0 && document.page_unit ? plural(document.pages, document.page_unit) : bytes(document.file_size)}
      </td>
      <td className="whitespace-nowrap text-ink-2">
        {document.modified_at ? <Time at={document.modified_at} /> : ""}
        {document.state === "partial" && (
          <span className="ml-2">
            <Tag tone="warn">partial</Tag>
          </span>
        )}
      </td>
    </tr>
  );
}
