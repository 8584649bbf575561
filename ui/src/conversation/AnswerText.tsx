import { lazy, Suspense } from "react";
import type { AnswerSentence, Citation, Lead } from "../api/types";
import { Tip } from "../parts/Tip";
import { CodePoints, splitAtSpans } from "../text/codepoints";
import { t } from "../text/language";
import { AnswerTable } from "./AnswerTable";
import { CitationTab } from "./CitationTab";

const Inline = lazy(() => import("./Markdown").then((module) => ({ default: module.InlineMarkdown })));

interface Props {
  sentences: readonly AnswerSentence[];
  citations: readonly Citation[];
  run: string | null;
  written: boolean;
  /** The answer itself, where it stands in front of the sentences. */
  lead?: Lead | null;
}

interface Group {
  kind: "prose" | "list" | "table" | "code";
  sentences: AnswerSentence[];
}

const kindOf = (sentence: AnswerSentence): Group["kind"] => {
  if (sentence.kind === "table") return "table";
  if (sentence.kind === "list_item") return "list";
  return sentence.kind === "code" ? "code" : "prose";
};

/** Neighbours of one paragraph and one kind stand together. */
export function groupSentences(sentences: readonly AnswerSentence[]): Group[] {
  const groups: Group[] = [];
  let paragraph: number | undefined;
  for (const sentence of sentences) {
    const last = groups.at(-1);
    const kind = kindOf(sentence);
    if (last && last.kind === kind && (paragraph === sentence.paragraph || kind !== "prose")) last.sentences.push(sentence);
    else groups.push({ kind, sentences: [sentence] });
    paragraph = sentence.paragraph;
  }
  return groups;
}

/** A list item without the mark that it begins with: the page sets its own. */
function withoutMarker(sentence: AnswerSentence): AnswerSentence {
  const mark = /^\s*[•◦▪‣*–-]\s+/.exec(sentence.text)?.[0] ?? "";
  const highlight = sentence.highlight as [number, number] | null;
  if (!mark || (highlight && highlight[0] < mark.length)) return sentence;
  return { ...sentence, text: sentence.text.slice(mark.length), highlight: highlight && [highlight[0] - mark.length, highlight[1] - mark.length] };
}

/** The answer, set like a page of a book, each sentence followed by the tabs of its citations. */
export function AnswerText({ sentences, citations, run, written, lead }: Props) {
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  const source = lead && byNumber.get(lead.citation);
  const one = (given: AnswerSentence, key: number) => {
    const sentence = given.kind === "list_item" ? withoutMarker(given) : given;
    return <Sentence key={key} sentence={sentence} byNumber={byNumber} run={run} written={written} />;
  };
  return (
    <div className="answer" data-testid="answer">
      {source && (
        <p className="font-semibold" data-testid="lead">
          {lead.text}
          <CitationTab citation={source} run={run} />
        </p>
      )}
      {groupSentences(sentences).map((group, index) => {
        if (group.kind === "table") return <AnswerTable key={index} sentences={group.sentences} citations={byNumber} run={run} />;
        if (group.kind === "list")
          return (
            <ul key={index} className="block">
              {group.sentences.map((sentence, at) => (
                <li key={at}>{one(sentence, at)}</li>
              ))}
            </ul>
          );
        if (group.kind === "code")
          return (
            <div key={index} className="block">
              {group.sentences.map((sentence, at) => (
                <pre key={at}>
                  <code>{one(sentence, at)}</code>
                </pre>
              ))}
            </div>
          );
        return <p key={index}>{group.sentences.map((sentence, at) => one(sentence, at))}</p>;
      })}
    </div>
  );
}

interface SentenceProps {
  sentence: AnswerSentence;
  byNumber: Map<number, Citation>;
  run: string | null;
  written: boolean;
}

function Sentence({ sentence, byNumber, run, written }: SentenceProps) {
  const tabs = sentence.citations.flatMap((number) => {
    const citation = byNumber.get(number);
    return citation ? [<CitationTab key={number} citation={citation} run={run} />] : [];
  });
  return (
    <>
      <Support support={sentence.support}>{written ? <WrittenText text={sentence.text} /> : <HighlightedSentence sentence={sentence} />}</Support>
      {tabs.length > 0 && <span className="whitespace-nowrap">{tabs}</span>}{" "}
    </>
  );
}

const WrittenText = ({ text }: { text: string }) => (
  <Suspense fallback={text}>
    <Inline text={text} />
  </Suspense>
);

function HighlightedSentence({ sentence }: { sentence: AnswerSentence }) {
  if (!sentence.highlight) return sentence.text;
  const [start, end] = sentence.highlight as [number, number];
  const points = new CodePoints(sentence.text);
  return splitAtSpans(points, 0, points.length, [{ start, end, kind: "strong" }]).map((piece) =>
    piece.kinds.length > 0 ? (
      <b key={piece.start} className="font-semibold">
        {piece.text}
      </b>
    ) : (
      piece.text
    ),
  );
}

/** A written sentence that its source does not bear out is marked, never hidden. */
function Support({ support, children }: { support: AnswerSentence["support"]; children: React.ReactNode }) {
  if (support === "quoted" || support === "supported") return <span>{children}</span>;
  const weak = support === "weak";
  const why = weak ? t("Only partly supported by the cited passage") : t("Not supported by the documents: check before you rely on it");
  return (
    <Tip label={why}>
      <span
        tabIndex={0}
        data-support={support}
        className={`underline decoration-wavy decoration-1 underline-offset-4 ${weak ? "decoration-warn" : "decoration-bad text-ink-2"}`}
      >
        {children}
        <span className="sr-only"> ({why})</span>
      </span>
    </Tip>
  );
}
