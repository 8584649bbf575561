import type { components } from "./schema";

type Schemas = components["schemas"];

export type SearchResponse = Schemas["SearchResponse"];
/** Everything but the question has a default on the server. */
export type SearchRequest = Pick<Schemas["SearchRequest"], "query"> &
  Partial<Omit<Schemas["SearchRequest"], "filters">> & { filters?: Partial<Schemas["Filters"]> | null };
export type Filters = Schemas["Filters"];
export type Citation = Schemas["Citation"];
export type AnswerSentence = Schemas["AnswerSentence"];
export type Result = Schemas["ResultOut"];
export type Passage = Schemas["PassageOut"];
export type Step = Schemas["Step"];
export type Degradation = Schemas["Degradation"];
export type Doc = Schemas["Document"];
export type DocumentList = Schemas["DocumentList"];
export type Content = Schemas["ContentOut"];
export type Block = Schemas["BlockOut"];
export type TableOut = Schemas["TableOut"];
export type Outline = Schemas["Outline"];
export type PageOut = Schemas["PageOut"];
export type Conversation = Schemas["ConversationOut"];
export type ConversationDetail = Schemas["ConversationDetail"];
export type ConversationList = Schemas["ConversationList"];
export type Ledger = Schemas["LedgerOut"];
export type LedgerLine = Schemas["LedgerLine"];
export type Root = Schemas["RootOut"];
export type Health = Schemas["HealthOut"];
export type Job = Schemas["JobOut"];
export type Upload = Schemas["UploadOut"];
export type Trace = Schemas["Trace"];
export type TraceLine = Schemas["TraceLine"];
export type TraceList = Schemas["TraceList"];
export type TraceNode = Schemas["TraceNode"];
export type TraceMove = Schemas["TraceMove"];
export type Starter = Schemas["Starter"];
export type StarterList = Schemas["StarterList"];
export type Feedback = Schemas["FeedbackRequest"];
export type Deleted = Schemas["Deleted"];
export type ProblemDocument = Schemas["Problem"];
