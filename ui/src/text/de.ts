import { conversation } from "./de.conversation";
import { library } from "./de.library";
import { pages } from "./de.pages";
import { run } from "./de.run";
import { server } from "./de.server";
import { source } from "./de.source";
import { traces } from "./de.traces";
import type { Catalogue } from "./language";

/** The page in German. The keys are the English texts; plural forms are "one|other". */
export const german: Catalogue = { ...server, ...run, ...traces, ...library, ...source, ...pages, ...conversation };
