/** What travels between the extension and findall. Made by scripts/contract.mjs: change findall-wire. */

import type { components as server } from "../contract";

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An answer of the engine inside a browser. Offsets count UTF-16 units. */
        EngineAnswer: {
            /** @description True. */
            ready: boolean;
        } | {
            /** @description The page's id. */
            document: string;
            /**
             * Format: uint
             * @description How far it has been read.
             */
            read: number;
            /**
             * Format: uint
             * @description How long it is.
             */
            total: number;
            /** @description Tasks that are next, the most urgent first. */
            wanted: components["schemas"]["ModelTask"][];
            /** @description Whether nothing is left to be read. */
            whole: boolean;
        } | {
            /** @description What the judge is to read. */
            wanted: components["schemas"]["ModelTask"][];
        } | {
            /** @description Each task with its outcome. */
            done: [
                components["schemas"]["ModelTask"],
                components["schemas"]["TaskOutcome"]
            ][];
        } | {
            /** @description True. */
            learned: boolean;
        } | components["schemas"]["FindResponse"] | {
            /** @description What happened and what to do. */
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description A request to the engine inside a browser. */
        EngineRequest: {
            /** @constant */
            call: "open";
        } | {
            /** @constant */
            call: "document";
            /**
             * @description What is seen of it, in UTF-16 units: that is read first.
             * @default null
             */
            seen?: [
                number,
                number
            ] | null;
            /** @description What it says. */
            text: string;
        } | {
            /** @constant */
            call: "read";
            /** @description The page's id. */
            document: string;
        } | {
            /** @constant */
            call: "work";
            /** @description What is to be done. */
            tasks: components["schemas"]["ModelTask"][];
        } | {
            /** @constant */
            call: "learn";
            /** @description Each task with its outcome. */
            done: [
                components["schemas"]["ModelTask"],
                components["schemas"]["TaskOutcome"]
            ][];
        } | {
            /** @constant */
            call: "find";
            /** @description The page's id. */
            document: string;
            /**
             * @description Whether the encoder's first answer will do.
             * @default false
             */
            fast?: boolean;
            /** @description What is looked for. */
            query: string;
        };
        ErrorDetail: server["schemas"]["ErrorDetail"];
        FindResponse: server["schemas"]["FindResponse"];
        /** @description An answer of the search by letters. */
        LettersAnswer: {
            /** @description Every kind; its number is its place. */
            kinds: components["schemas"]["LettersKind"][];
        } | {
            /** @description False when there is nothing to look for, or far too much. */
            sought: boolean;
        } | {
            /** @description What was searched for instead of what was typed. */
            correction?: components["schemas"]["WireCorrection"] | null;
        } | components["schemas"]["SuggestedLetters"] | {
            /** @description What happened. */
            error: string;
        };
        /** @description A kind of place in words. */
        LettersKind: {
            /** @description True for the query's own words. */
            exact: boolean;
            /** @description Why such a place is found. */
            why: string;
        };
        /** @description A request to the search by letters. */
        LettersRequest: {
            /** @constant */
            call: "kinds";
        } | {
            /** @constant */
            call: "seek";
            /**
             * @description Capital letters count.
             * @default false
             */
            case?: boolean;
            /**
             * @description Nothing but the query itself: no other spelling.
             * @default false
             */
            literal?: boolean;
            /** @description What is looked for. */
            query: string;
            /**
             * @description Whole words only.
             * @default false
             */
            words?: boolean;
        } | {
            /** @constant */
            call: "finish";
        } | {
            /** @constant */
            call: "suggest";
            /** @description The page's headings. */
            headings: string[];
            /** @description What was typed. */
            typed: string;
        };
        /** @description One piece of work for a model. */
        ModelTask: {
            /** @constant */
            task: "tag";
            /** @description The passage. */
            text: string;
        } | {
            /** @constant */
            task: "knowledge";
            /** @description What is known. */
            text: string;
        } | {
            /** @constant */
            task: "passage";
            /** @description The context. */
            text: string;
        } | {
            /** @description What is looked for. */
            query: string;
            /** @constant */
            task: "judge";
            /** @description What is said of the candidate. */
            text: string;
        };
        /** @description What continues what was typed. */
        SuggestedLetters: {
            /** @description Which of the headings. */
            headings: number[];
            /** @description Words of the page. */
            words: string[];
        };
        /** @description A mention on its way between threads. */
        TaggedMention: {
            /**
             * Format: float
             * @description The tagger's confidence.
             */
            confidence: number;
            /**
             * Format: uint
             * @description Where it has ended.
             */
            end: number;
            /**
             * Format: uint
             * @description Its type, as its place among [`MentionType::ALL`].
             */
            kind: number;
            /**
             * Format: uint
             * @description Where it begins in the passage, in bytes.
             */
            start: number;
        };
        /** @description What came out of a task. */
        TaskOutcome: {
            /** @description In text order. */
            mentions: components["schemas"]["TaggedMention"][];
        } | {
            /** @description The text's vector. */
            pooled: number[];
            /** @description Those of its tokens. */
            tokens: number[];
        } | {
            /**
             * Format: float
             * @description How likely the candidate satisfies the query.
             */
            log_odds: number;
        };
        WireCorrection: server["schemas"]["WireCorrection"];
        WireCoverage: server["schemas"]["WireCoverage"];
        WireEntity: server["schemas"]["WireEntity"];
        WireEntityScore: server["schemas"]["WireEntityScore"];
        WireKind: server["schemas"]["WireKind"];
        WireMatch: server["schemas"]["WireMatch"];
        WireSpan: server["schemas"]["WireSpan"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
