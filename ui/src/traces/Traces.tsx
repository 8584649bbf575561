import { useTraces } from "../api/queries";
import type { TraceLine } from "../api/types";
import { Tag, type Tone } from "../parts/Tag";
import { Time } from "../parts/Time";
import { Trouble } from "../parts/Trouble";
import { Link, tracePath } from "../shell/router";
import { useTitle } from "../shell/title";
import { milliseconds } from "../text/format";

export const statusTag: Record<string, [Tone, string]> = {
  success: ["good", "answered"],
  not_found: ["warn", "not found"],
  clarification_needed: ["calm", "asked back"],
  stopped: ["warn", "stopped"],
  failed: ["bad", "failed"],
};

/** Every run that was kept, the newest first. */
export function Traces() {
  const traces = useTraces();
  useTitle("Traces");
  const lines = traces.data?.pages.flatMap((page) => page.traces) ?? [];
  return (
    <main className="h-full overflow-y-auto" data-testid="traces">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[30px] max-sm:px-4 max-sm:py-5">
        <div>
          <h1>Traces</h1>
          <p className="mt-1 text-ink-2">How each answer came about: who decided what, and how every candidate moved.</p>
        </div>
        {traces.error && <Trouble error={traces.error} onRetry={() => void traces.refetch()} />}
        {traces.isSuccess && lines.length === 0 && <p className="text-ink-2">No question has been asked yet.</p>}
        {lines.length > 0 && (
          <section className="card overflow-x-auto px-3 py-1.5" aria-label="Runs">
            <table className="grid-table">
              <thead>
                <tr>
                  <th scope="col">Question</th>
                  <th scope="col">Outcome</th>
                  <th scope="col" className="text-right! max-sm:hidden">
                    Took
                  </th>
                  <th scope="col" className="max-md:hidden">
                    By
                  </th>
                  <th scope="col">Asked</th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <Row key={line.id} line={line} />
                ))}
              </tbody>
            </table>
            {traces.hasNextPage && (
              <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void traces.fetchNextPage()}>
                Show older ones
              </button>
            )}
          </section>
        )}
      </div>
    </main>
  );
}

function Row({ line }: { line: TraceLine }) {
  const [tone, word] = statusTag[line.status] ?? ["calm", line.status];
  return (
    <tr>
      <td className="max-w-[520px] max-sm:max-w-[44vw]">
        <Link
          href={tracePath(line.id)}
          className="block truncate font-semibold hover:underline hover:decoration-line-strong hover:underline-offset-4"
          title={line.query}
        >
          {line.query}
        </Link>
        <span className="block truncate text-[12.5px] text-ink-3 max-sm:hidden">{line.routing_path}</span>
      </td>
      <td>
        <Tag tone={tone}>{word}</Tag>
      </td>
      <td className="num whitespace-nowrap text-right text-ink-2 max-sm:hidden">{milliseconds(line.duration_ms)}</td>
      <td className="text-ink-2 max-md:hidden">{line.generated_by}</td>
      <td className="whitespace-nowrap text-ink-2">
        <Time at={line.started_at} />
      </td>
    </tr>
  );
}
