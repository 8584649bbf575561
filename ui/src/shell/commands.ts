import {
  BookOpen,
  Brain,
  FlaskConical,
  FolderPlus,
  Gauge,
  Keyboard,
  type LucideIcon,
  Moon,
  PenLine,
  Route,
  Settings,
  SlidersHorizontal,
  Sun,
  SunMoon,
  Upload,
  Waypoints,
} from "lucide-react";
import { focusComposer, type StrategyChoice, setDraft } from "../conversation/draft";
import { mark } from "../text/language";
import { navigate } from "./router";
import { sendSignal } from "./signals";
import { setTheme } from "./theme";

export interface Command {
  /** What is typed after the slash. */
  name: string;
  label: string;
  icon: LucideIcon;
  group: "Go" | "Library" | "This question" | "Appearance";
  keys?: string;
  run: () => void;
}

export const groupNames: Readonly<Record<Command["group"], string>> = {
  Go: mark("Go"),
  Library: mark("Library"),
  "This question": mark("This question"),
  Appearance: mark("Appearance"),
};

export function newQuestion(): void {
  navigate("/app");
  focusComposer();
}

const strategy = (choice: StrategyChoice, label: string): Command => ({
  name: choice,
  label,
  icon: SlidersHorizontal,
  group: "This question",
  run: () => {
    setDraft({ strategy: choice });
    focusComposer();
  },
});

export const commands: Command[] = [
  {
    name: "new",
    label: mark("New question"),
    icon: PenLine,
    group: "Go",
    keys: /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ ⇧ O" : "Ctrl ⇧ O",
    run: newQuestion,
  },
  { name: "library", label: mark("Open the library"), icon: BookOpen, group: "Go", run: () => navigate("/app/library") },
  { name: "traces", label: mark("Open the traces"), icon: Route, group: "Go", run: () => navigate("/app/traces") },
  { name: "memory", label: mark("Open memory"), icon: Brain, group: "Go", run: () => navigate("/app/memory") },
  { name: "evaluation", label: mark("Open the evaluation"), icon: Gauge, group: "Go", run: () => navigate("/app/evaluation") },
  { name: "test", label: mark("Test the search"), icon: FlaskConical, group: "Go", run: () => navigate("/app/evaluation/test") },
  { name: "settings", label: mark("Open the settings"), icon: Settings, group: "Go", run: () => navigate("/app/settings") },
  { name: "graph", label: mark("Look up people, places and terms"), icon: Waypoints, group: "Go", run: () => navigate("/app/graph") },
  { name: "folder", label: mark("Add a folder"), icon: FolderPlus, group: "Library", run: () => sendSignal("add-folder") },
  { name: "upload", label: mark("Upload files"), icon: Upload, group: "Library", run: () => sendSignal("upload") },
  strategy("precise", mark("Search for the exact words")),
  strategy("semantic", mark("Search by meaning")),
  strategy("temporal", mark("Prefer what is recent")),
  strategy("exploratory", mark("Explore what is related")),
  strategy("auto", mark("Let Vantage choose how to search")),
  { name: "light", label: mark("Light theme"), icon: Sun, group: "Appearance", run: () => setTheme("light") },
  { name: "dark", label: mark("Dark theme"), icon: Moon, group: "Appearance", run: () => setTheme("dark") },
  { name: "system", label: mark("System theme"), icon: SunMoon, group: "Appearance", run: () => setTheme("system") },
  { name: "keys", label: mark("Show keyboard shortcuts"), icon: Keyboard, group: "Appearance", keys: "?", run: () => sendSignal("keys") },
];
