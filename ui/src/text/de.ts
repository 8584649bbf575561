import type { Catalogue } from "./language";
export const german: Catalogue = {};
