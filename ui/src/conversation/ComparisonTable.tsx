import type { Citation, Comparison, ComparisonCell } from "../api/types";
import { documentPath, Link } from "../shell/router";
import { t } from "../text/language";
import { CitationTab } from "./CitationTab";

const sticky = "sticky left-0 z-[1] bg-surface";

/** Sides as columns, attributes as rows, a cited cell each. On a narrow screen it scrolls inside; sides and attributes stay in view. */
export function ComparisonTable({ comparison, citations, run }: { comparison: Comparison; citations: readonly Citation[]; run: string | null }) {
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  if (comparison.rows.length === 0) return comparison.note ? <p className="text-ink-2">{comparison.note}</p> : null;
  return (
    <figure className="min-w-0" data-testid="comparison">
      <section
        className="max-h-[min(720px,78dvh)] overflow-auto rounded-2 border border-line bg-surface"
        tabIndex={0}
        aria-label={t("Comparison of {names}", { names: comparison.sides.map((side) => side.name).join(", ") })}
      >
        <table className="w-full border-separate border-spacing-0 text-[14px] leading-normal">
          <thead>
            <tr>
              <th scope="col" className={`${sticky} top-0 z-[3] w-[22%] min-w-[104px] border-line border-b p-3 text-left align-bottom`}>
                <span className="sr-only">{t("What is compared")}</span>
              </th>
              {comparison.sides.map((side) => (
                <th
                  key={side.name}
                  scope="col"
                  className="sticky top-0 z-[2] min-w-[190px] border-line border-b bg-surface p-3 text-left align-bottom font-semibold"
                >
                  <span className="block break-words">{side.name}</span>
                  {side.filename && side.filename !== side.name && (
                    <span className="block break-words font-normal text-[12.5px] text-ink-3">
                      {side.document_id ? (
                        <Link href={documentPath(side.document_id)} className="hover:text-ink hover:underline hover:underline-offset-4">
                          {side.filename}
                        </Link>
                      ) : (
                        side.filename
                      )}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&>tr:last-child>*]:border-b-0">
            {comparison.rows.map((row) => (
              <tr key={row.attribute}>
                <th scope="row" className={`${sticky} border-line border-b p-3 text-left align-top font-[550] text-[13px] text-ink-2`}>
                  <span className="break-words">{row.attribute}</span>
                  {row.differs === true && <span className="mt-0.5 block font-normal text-[12px] text-warn">{t("differs")}</span>}
                  {row.differs === false && <span className="mt-0.5 block font-normal text-[12px] text-ink-3">{t("the same")}</span>}
                </th>
                {row.cells.map((cell, index) => (
                  <td key={comparison.sides[index]?.name ?? index} className="border-line border-b p-3 align-top">
                    <Cell cell={cell} byNumber={byNumber} run={run} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {comparison.note && <figcaption className="mt-2 text-[13px] text-ink-3">{comparison.note}</figcaption>}
    </figure>
  );
}

function Cell({ cell, byNumber, run }: { cell: ComparisonCell; byNumber: Map<number, Citation>; run: string | null }) {
  if (!cell.found) return <span className="text-[13px] text-ink-3">{t("not found")}</span>;
  const tabs = (cell.citations ?? []).flatMap((number) => byNumber.get(number) ?? []);
  return (
    <span className="break-words font-serif text-[15.5px] leading-snug">
      {(cell.text ?? "").replaceAll(/\s*\|[\s|]*/g, " · ")}
      {tabs.length > 0 && (
        <span className="whitespace-nowrap">
          {tabs.map((citation) => (
            <CitationTab key={citation.number} citation={citation} run={run} />
          ))}
        </span>
      )}
    </span>
  );
}
