import { conversation } from "./de.conversation";
import { pages } from "./de.pages";
import { source } from "./de.source";
import type { Catalogue } from "./language";

/** The page in German. The keys are the English texts; plural forms are "one|other". */
export const german: Catalogue = { ...pages, ...conversation, ...source };
