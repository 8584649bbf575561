import { Tooltip } from "radix-ui";
import { Suspense, useEffect, useMemo, useState } from "react";
import { Problem } from "./api/problem";
import { queryClient, useHealth } from "./api/queries";
import { Conversation, Turn } from "./conversation/Conversation";
import { getDraft } from "./conversation/draft";
import { notifyOfJob } from "./library/desktopNotice";
import { describeJobEnd } from "./library/JobProgress";
import { jobs } from "./library/jobs";
import { runs } from "./run/runStore";
import { DropZone } from "./shell/DropZone";
import { KeyboardShortcuts } from "./shell/KeyboardShortcuts";
import { fetchEarly, lazyPart, preloadAtIdle, useSignalled } from "./shell/lazyPart";
import { Rail, TopBar } from "./shell/Rail";
import { closeSource, Link, parseRoute, parseSource, type Route, useAddress } from "./shell/router";
import { ScriptErrorBoundary } from "./shell/ScriptErrorBoundary";
import { showToast, Toasts } from "./shell/Toasts";
import { t, withTexts } from "./text/language";

/** The pages of the evaluation say some of what those of the traces say. */
const withEvaluation = <Module,>(script: Promise<Module>): Promise<Module> => withTexts("trace", withTexts("evaluation", script));

const Library = lazyPart(() => import("./library/LibraryPage").then((module) => module.LibraryPage));
const DocumentPage = lazyPart(() => import("./library/DocumentPage").then((module) => module.DocumentPage));
const Traces = lazyPart(() => import("./traces/TracesPage").then((module) => module.TracesPage));
const TracePage = lazyPart(() => withTexts("trace", import("./traces/TracePage")).then((module) => module.TracePage));
const ComparePage = lazyPart(() => withTexts("trace", import("./traces/ComparePage")).then((module) => module.ComparePage));
const MemoryPage = lazyPart(() => import("./memory/MemoryPage").then((module) => module.MemoryPage));
const SettingsPage = lazyPart(() => import("./settings/SettingsPage").then((module) => module.SettingsPage));
const EvaluationPage = lazyPart(() => withEvaluation(import("./evaluation/EvaluationPage")).then((module) => module.EvaluationPage));
const EvaluationRunPage = lazyPart(() => withEvaluation(import("./evaluation/EvaluationRunPage")).then((module) => module.EvaluationRunPage));
const EvaluationComparisonPage = lazyPart(() =>
  withEvaluation(import("./evaluation/EvaluationComparisonPage")).then((module) => module.EvaluationComparisonPage),
);
const RetrievalTestPage = lazyPart(() => withEvaluation(import("./evaluation/RetrievalTestPage")).then((module) => module.RetrievalTestPage));
const GraphPage = lazyPart(() => import("./graph/GraphPage").then((module) => module.GraphPage));
const SourcePane = lazyPart(() => import("./source/SourcePane").then((module) => module.SourcePane));
const Palette = lazyPart(() => import("./shell/CommandPalette").then((module) => module.CommandPalette));
const AddFolder = lazyPart(() => import("./library/AddFolderDialog").then((module) => module.AddFolderDialog));
const AskOnly = lazyPart(() => import("./library/AskScopeDialog").then((module) => module.AskScopeDialog));
const Gate = lazyPart(() => import("./shell/SignInPage").then((module) => module.SignInPage));

/** In the order in which they are likely to be needed. What draws PDF pages and graphs is large and comes when it is opened. */
const preloaded = [Turn, SourcePane, Library, Palette, AddFolder, AskOnly, DocumentPage, Traces, MemoryPage];

// The turns come beside a stored conversation's text, not after it, and are there should the server go before the first question.
void fetchEarly(Turn);

export function App() {
  const { path, search } = useAddress();
  const route = useMemo(() => parseRoute(path), [path]);
  const source = parseSource(search);
  const locked = useFollowedJobs();
  useEffect(() => {
    runs.onFinished = () => {
      for (const key of ["conversations", "conversation", "traces", "memory"]) void queryClient.invalidateQueries({ queryKey: [key] });
    };
    runs.onStarted = () => void queryClient.invalidateQueries({ queryKey: ["conversations"] });
    jobs.onFinished = (job) => {
      // A file that was attached to a question says at its chip how it went.
      if (getDraft().attachments.some((item) => item.jobId === job.id)) return;
      const end = describeJobEnd(job);
      showToast(end.text, end.bad ? "bad" : "calm");
      notifyOfJob(job);
    };
    runs.restore();
    preloadAtIdle(preloaded);
  }, []);
  if (locked)
    return (
      <Part>
        <Gate />
      </Part>
    );
  return (
    <Tooltip.Provider delayDuration={140} skipDelayDuration={300}>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-[100] focus:rounded-1 focus:bg-surface focus:p-2"
      >
        {t("Go to the content")}
      </a>
      <div className="flex h-dvh flex-col">
        <TopBar route={route} />
        <div
          className={`grid min-h-0 flex-1 grid-cols-1 md:grid-cols-[248px_minmax(0,1fr)] ${source ? "xl:grid-cols-[248px_minmax(0,1fr)_min(500px,38vw)] 2xl:grid-cols-[248px_minmax(0,1fr)_min(680px,36vw)]" : ""}`}
        >
          <Rail route={route} />
          <div id="content" className="h-full min-h-0 min-w-0">
            <Part key={route.view}>
              <View route={route} />
            </Part>
          </div>
          {source && (
            <Pane>
              <Part>
                <SourcePane source={source} />
              </Part>
            </Pane>
          )}
        </div>
      </div>
      <KeyboardShortcuts />
      <Part>
        <RequestedDialogs />
      </Part>
      <DropZone route={route} />
      <Toasts />
    </Tooltip.Provider>
  );
}

/** What may come in a script of its own, and says so where that cannot be had. */
const Part = ({ children }: { children: React.ReactNode }) => (
  <ScriptErrorBoundary>
    <Suspense fallback={null}>{children}</Suspense>
  </ScriptErrorBoundary>
);

/** What is shown when it is asked for, from the first time on. */
function RequestedDialogs() {
  const palette = useSignalled("palette");
  const folder = useSignalled("add-folder");
  const only = useSignalled("ask-only");
  return (
    <>
      {palette && <Palette />}
      {folder && <AddFolder />}
      {only && <AskOnly />}
    </>
  );
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case "conversation":
      return <Conversation key={route.id ?? "new"} id={route.id} />;
    case "library":
      return <Library />;
    case "document":
      return <DocumentPage key={route.id} id={route.id} />;
    case "traces":
      return <Traces />;
    case "trace":
      return <TracePage key={route.id} id={route.id} />;
    case "comparison":
      return <ComparePage />;
    case "memory":
      return <MemoryPage />;
    case "settings":
      return <SettingsPage />;
    case "evaluation":
      return <EvaluationPage />;
    case "evaluation-run":
      return <EvaluationRunPage key={route.id} id={route.id} />;
    case "evaluation-comparison":
      return <EvaluationComparisonPage />;
    case "retrieval-test":
      return <RetrievalTestPage />;
    case "graph":
      return <GraphPage id={route.id} />;
    default:
      return (
        <main className="grid h-full place-items-center p-6">
          <div className="text-center">
            <h1>{t("This page does not exist.")}</h1>
            <Link href="/app" className="link mt-3 inline-block">
              {t("Ask a question instead")}
            </Link>
          </div>
        </main>
      );
  }
}

/** Beside the content where there is room, otherwise a sheet from below (phone) or from the side. */
function Pane({ children }: { children: React.ReactNode }) {
  return (
    <>
      <button
        type="button"
        aria-label={t("Close the source")}
        tabIndex={-1}
        onClick={closeSource}
        className="fixed inset-0 z-20 animate-appear bg-black/25 xl:hidden"
      />
      <aside className="fixed inset-x-0 bottom-0 z-30 h-[84dvh] animate-slide overflow-hidden rounded-t-3 border-line border-t bg-surface shadow-high md:inset-y-0 md:right-0 md:left-auto md:h-full md:w-[min(560px,80vw)] md:rounded-none md:border-t-0 md:border-l xl:static xl:z-auto xl:w-auto xl:animate-appear xl:shadow-none">
        {children}
      </aside>
    </>
  );
}

/** Jobs that were started elsewhere (another window, the command) are followed as well. True when the server wants a key first. */
function useFollowedJobs(): boolean {
  const health = useHealth();
  const running = health.data?.jobs_running.join(" ") ?? "";
  useEffect(() => {
    for (const id of running.split(" ").filter(Boolean)) void jobs.follow(id);
  }, [running]);
  // While it is asked again nothing is known: the gate stays, with what was typed into it.
  const [locked, setLocked] = useState(false);
  useEffect(() => {
    if (health.error) setLocked(health.error instanceof Problem && health.error.status === 401);
    else if (health.isSuccess) setLocked(false);
  }, [health.error, health.isSuccess]);
  return locked;
}
