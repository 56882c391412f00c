/**
 * What is asked of the server: the fields of the contract's requests, so that a field that has another name there does not
 * compile here. Objects are written without spreads where they can be: TypeScript takes unknown fields beside a spread.
 */

import type { Schemas } from "./wire";

/** What is sent of a request: the server fills in what is left out, and what is undefined is not sent. */
export type RequestBody<Name extends keyof Schemas, Needed extends keyof Schemas[Name] = never> = Pick<
  Schemas[Name],
  Needed
> & { [Field in Exclude<keyof Schemas[Name], Needed>]?: Schemas[Name][Field] | undefined };

/** What is posted, by its address. */
export interface PostBodies {
  "/v1/documents": RequestBody<"DocumentRequest", "text">;
  "/v1/find": RequestBody<"FindRequest", "query">;
  "/v1/ask": RequestBody<"AskRequest", "question">;
  "/v1/suggest": RequestBody<"SuggestRequest", "prefix">;
  "/v1/feedback": RequestBody<"FeedbackRequest", "document" | "question_id" | "verdict">;
  "/v1/kb/report": RequestBody<"KbReportRequest", "title" | "about" | "words">;
  "/v1/like": RequestBody<"LikeRequest", "selection" | "sentence" | "terms">;
  "/v1/forget": RequestBody<"ForgetRequest">;
  "/v1/read": Schemas["ReadRequest"];
}

/** What stands behind the question mark, by the address before it. */
export interface SearchQueries {
  "/v1/pages/top-questions": Record<keyof Schemas["TopQuestionsQuery"], string>;
  "/v1/questions/similar": Record<keyof Schemas["SimilarQuery"], string>;
}

/** What a page's call brings along, beside the page's document: most of it goes on to the server. */
export interface PageCallParams {
  find: PostBodies["/v1/find"];
  ask: PostBodies["/v1/ask"];
  suggest: PostBodies["/v1/suggest"];
  topQuestions: RequestBody<"TopQuestionsQuery">;
  similarQuestions: { question: Schemas["SimilarQuery"]["q"]; url: string };
  feedback: Omit<PostBodies["/v1/feedback"], "document">;
  like: PostBodies["/v1/like"];
}
