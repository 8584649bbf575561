import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

/** What a model is writing, as it comes. [n] becomes a quiet number: the tabs come when the citations have been checked. */
export function StreamedMarkdown({ text }: { text: string }) {
  const numbered = text.replace(/\[(\d{1,3})\]/g, "[$1](#cite-$1)");
  return (
    <div className="answer" data-testid="streaming">
      <Markdown remarkPlugins={[remarkGfm]} components={{ a: ReferenceOrLink }}>
        {numbered}
      </Markdown>
    </div>
  );
}

function ReferenceOrLink({ href, children }: { href?: string | undefined; children?: React.ReactNode }) {
  if (href?.startsWith("#cite-")) return <span className="cite">{children}</span>;
  return <span>{children}</span>;
}

/** A sentence with its emphasis and code; blocks are not allowed here. */
export function InlineMarkdown({ text }: { text: string }) {
  return (
    <Markdown remarkPlugins={[remarkGfm]} allowedElements={["strong", "em", "code", "del"]} unwrapDisallowed>
      {text}
    </Markdown>
  );
}
