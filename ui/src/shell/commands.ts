import {
  BookOpen,
  Brain,
  FolderPlus,
  Keyboard,
  type LucideIcon,
  Moon,
  PenLine,
  Route,
  SlidersHorizontal,
  Sun,
  SunMoon,
  Upload,
  Waypoints,
} from "lucide-react";
import { focusComposer, type StrategyChoice, setDraft } from "../conversation/draft";
import { navigate } from "./router";
import { show } from "./signals";
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
    label: "New question",
    icon: PenLine,
    group: "Go",
    keys: /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ ⇧ O" : "Ctrl ⇧ O",
    run: newQuestion,
  },
  { name: "library", label: "Open the library", icon: BookOpen, group: "Go", run: () => navigate("/app/library") },
  { name: "traces", label: "Open the traces", icon: Route, group: "Go", run: () => navigate("/app/traces") },
  { name: "memory", label: "Open memory", icon: Brain, group: "Go", run: () => navigate("/app/memory") },
  { name: "graph", label: "Look up people, places and terms", icon: Waypoints, group: "Go", run: () => navigate("/app/graph") },
  { name: "folder", label: "Add a folder", icon: FolderPlus, group: "Library", run: () => show("add-folder") },
  { name: "upload", label: "Upload files", icon: Upload, group: "Library", run: () => show("upload") },
  strategy("precise", "Search for the exact words"),
  strategy("semantic", "Search by meaning"),
  strategy("temporal", "Prefer what is recent"),
  strategy("exploratory", "Explore what is related"),
  strategy("auto", "Let Vantage choose how to search"),
  { name: "light", label: "Light theme", icon: Sun, group: "Appearance", run: () => setTheme("light") },
  { name: "dark", label: "Dark theme", icon: Moon, group: "Appearance", run: () => setTheme("dark") },
  { name: "system", label: "System theme", icon: SunMoon, group: "Appearance", run: () => setTheme("system") },
  { name: "keys", label: "Show keyboard shortcuts", icon: Keyboard, group: "Appearance", keys: "?", run: () => show("keys") },
];
