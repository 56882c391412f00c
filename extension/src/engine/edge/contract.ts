/** What travels between the extension and findall. Made by scripts/contract.mjs: change findall-wire. */

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
        /** @description What happened and what to do. */
        ErrorDetail: {
            /** @description A word for programs. */
            code: string;
            /** @description One line for people. */
            message: string;
        };
        /** @description Everything that was found. */
        FindResponse: {
            /** @description What was searched for instead of what was typed. */
            correction?: components["schemas"]["WireCorrection"] | null;
            /** @description How complete the search was. */
            coverage: components["schemas"]["WireCoverage"];
            /** @description Every entity with its score, likeliest first, when `all` was asked for. */
            entities?: components["schemas"]["WireEntityScore"][] | null;
            /** @description False when this is a first answer that a judge may correct: ask again without `fast`. */
            judged: boolean;
            /**
             * Format: uint
             * @description Matches beyond what one answer may hold.
             */
            left_out: number;
            /** @description Every match. */
            matches: components["schemas"]["WireMatch"][];
            /** @description True when nothing here is meant. */
            nothing: boolean;
            /**
             * Format: uint64
             * @description How long it took.
             */
            took_ms: number;
        };
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
        /** @description A query that was taken otherwise than typed. */
        WireCorrection: {
            /** @description What was typed. */
            from: string;
            /** @description What was searched for. */
            to: string;
        };
        /** @description How complete a preparation was; `read` and `total` in the unit of the request's offsets. */
        WireCoverage: {
            /**
             * Format: uint
             * @description Those recognised as something in the knowledge base.
             */
            linked: number;
            /**
             * Format: uint
             * @description Names found.
             */
            mentions: number;
            /**
             * Format: uint
             * @description How much of the text was read.
             */
            read: number;
            /** @description What was passed over, and why. */
            skipped: string[];
            /**
             * Format: uint
             * @description How much there is.
             */
            total: number;
            /**
             * Format: uint
             * @description Those judged by what the document says about them.
             */
            unlinked: number;
        };
        /** @description What a match names. */
        WireEntity: {
            /** @description What is known about it; empty when nothing is. */
            description: string;
            /** @description Its number in the knowledge base, if it is there. */
            id?: string | null;
            /** @description Its name. */
            name: string;
            /** @description What the document itself says that it is; left out when it does not say. */
            page?: string;
        };
        /** @description An entity and its score. */
        WireEntityScore: {
            /** @description Whether it is among the matches. */
            accepted: boolean;
            /** @description What is known about it. */
            fact: string;
            /** @description Its number in the knowledge base, if it is there. */
            id?: string | null;
            /** @description Where it is named. */
            mentions: components["schemas"]["WireSpan"][];
            /** @description Its name. */
            name: string;
            /**
             * Format: float
             * @description Probability that it is meant.
             */
            score: number;
        };
        /** @description How a match came about. */
        WireKind: "meaning" | "exact" | "fuzzy" | "value";
        /** @description One place that the query means. */
        WireMatch: {
            /** @description What it names. */
            entity?: components["schemas"]["WireEntity"] | null;
            /** @description How it came about. */
            kind: components["schemas"]["WireKind"];
            /**
             * Format: float
             * @description How likely it is meant, 0 to 1.
             */
            score: number;
            /** @description Where. */
            span: components["schemas"]["WireSpan"];
            /** @description What stands there. */
            text: string;
            /** @description Why it is a match. */
            why: string;
        };
        /** @description A stretch of a document's text: from `start` up to but not including `end`. */
        WireSpan: {
            /**
             * Format: uint
             * @description Where it has ended.
             */
            end: number;
            /**
             * Format: uint
             * @description Where it begins.
             */
            start: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
