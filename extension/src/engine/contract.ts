/** What travels between the extension and findall. Made by scripts/contract.mjs: change findall-wire. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One line of a streamed answer. */
        AskEvent: {
            /** @description The answer. */
            answer: components["schemas"]["WireAnswer"];
            /** @constant */
            event: "answer";
            /**
             * Format: uint64
             * @description Since the question came.
             */
            took_ms: number;
        } | components["schemas"]["AskResponse"] | {
            /** @description What happened. */
            error: components["schemas"]["ErrorDetail"];
            /** @constant */
            event: "error";
        };
        /** @description A question to a document. Exactly one of `document` and `text`. */
        AskRequest: {
            /**
             * @description Whether the question and the likeliest passages may be sent to the larger model that the server was started with,
             *     when the reader is not sure; a server without one reads alone.
             * @default false
             */
            allow_llm: boolean;
            /**
             * @description A document that is held.
             * @default null
             */
            document: string | null;
            /**
             * @description Whether to read again what is remembered.
             * @default false
             */
            fresh: boolean;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /** @description What is asked. */
            question: string;
            /**
             * @description Or the text itself.
             * @default null
             */
            text: string | null;
            /**
             * Format: float
             * @description Least confidence of an answer, 0 to 1; without it the reader decides.
             * @default null
             */
            threshold: number | null;
            /**
             * Format: uint
             * @description At most so many answers; without it five, and a list whole.
             * @default null
             */
            top: number | null;
            /**
             * @description Where the page is from, when it is not what `/v1/documents` was told.
             * @default null
             */
            url: string | null;
        };
        /** @description What came of a question. */
        AskResponse: {
            /** @description Best first. */
            answers: components["schemas"]["WireAnswer"][];
            /** @description What was read for instead of what was typed. */
            correction?: components["schemas"]["WireCorrection"] | null;
            /** @description Sentences nearest to the question, best first: for questions that no span can answer. */
            evidence: components["schemas"]["WireQuote"][];
            /** @description What a person should know about it. */
            message?: string | null;
            /** @description How it ended. */
            outcome: components["schemas"]["WireOutcome"];
            /** @description Under which the question is remembered; absent when it is not. */
            question_id?: string | null;
            /** @description How much was read; absent when the answers were remembered. */
            read?: components["schemas"]["WireReach"] | null;
            /** @description The remembered question whose answers these are, when it was put in other words. */
            similar_question?: string | null;
            /**
             * Format: uint64
             * @description How long it took.
             */
            took_ms: number;
            /** @description What of the document could not be read, so that an answer may stand there: scanned pages, fonts without a text map. */
            unread?: string | null;
        };
        /** @description One line of a streamed preparation. */
        DocumentEvent: {
            /** @constant */
            event: "progress";
            /**
             * Format: uint
             * @description So far.
             */
            read: number;
            /**
             * Format: uint
             * @description In all.
             */
            total: number;
        } | components["schemas"]["DocumentResponse"] | {
            /** @description What happened. */
            error: components["schemas"]["ErrorDetail"];
            /** @constant */
            event: "error";
        };
        /** @description A page to make ready for questions. Exactly one of `text` and `html`. */
        DocumentRequest: {
            /**
             * @description HTML; spans count into the text that comes back with `return_text`.
             * @default null
             */
            html: string | null;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /**
             * @description Whether nothing about it may be written to disk.
             * @default false
             */
            private: boolean;
            /**
             * @description Whether the readable text is to come back.
             * @default false
             */
            return_text: boolean;
            /**
             * @description Plain text; spans count into it as it stands.
             * @default null
             */
            text: string | null;
            /**
             * @description What the page is called.
             * @default null
             */
            title: string | null;
            /**
             * @description Where the page is from, so that questions to it can be remembered.
             * @default null
             */
            url: string | null;
        };
        /** @description A document that can be asked. */
        DocumentResponse: {
            /**
             * Format: uint
             * @description Length of the text in characters.
             */
            chars: number;
            /** @description BLAKE3 of the text, in hexadecimal. */
            content_hash: string;
            /** @description How much was read. */
            coverage: components["schemas"]["WireCoverage"];
            /** @description Under which it is held; derived from its content. */
            document: string;
            /** @description The readable text, if it was asked for. */
            text?: string | null;
            /**
             * Format: uint64
             * @description How long it took.
             */
            took_ms: number;
        };
        /** @description It is done. */
        DoneResponse: {
            /** @description Always true. */
            ok: boolean;
        };
        /** @description What every refusal looks like. */
        ErrorBody: {
            /** @description What happened. */
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description What happened and what to do. */
        ErrorDetail: {
            /** @description A word for programs. */
            code: string;
            /** @description One line for people. */
            message: string;
        };
        /** @description A person's word about an answer. `span` or `text` says which; a correction needs the right one. */
        FeedbackRequest: {
            /** @description The document, held. */
            document: string;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /** @description The question. */
            question_id: string;
            /**
             * @description Where the answer stands.
             * @default null
             */
            span: components["schemas"]["WireSpan"] | null;
            /**
             * @description Or what it says.
             * @default null
             */
            text: string | null;
            /** @description What the person says. */
            verdict: components["schemas"]["WireVerdict"];
        };
        /** @description One line of a streamed search. */
        FindEvent: components["schemas"]["WireMatch"] | components["schemas"]["FindResponse"] | {
            /** @description What happened. */
            error: components["schemas"]["ErrorDetail"];
            /** @constant */
            event: "error";
        };
        /** @description What to look for. Exactly one of `document` and `text`. */
        FindRequest: {
            /**
             * @description Whether every entity is to be listed with its score.
             * @default false
             */
            all: boolean;
            /**
             * @description A document that is held.
             * @default null
             */
            document: string | null;
            /**
             * @description Whether the encoder's first answer will do: at once, and more often wrong.
             * @default false
             */
            fast: boolean;
            /**
             * @description Whether something is known to answer, so that the likeliest comes where nothing is sure; not with `threshold`.
             * @default false
             */
            guess: boolean;
            /**
             * @description Only matches of these kinds.
             * @default null
             */
            kinds: components["schemas"]["WireKind"][] | null;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /**
             * @description In which order matches come.
             * @default document
             */
            order: components["schemas"]["WireOrder"];
            /** @description What is looked for. */
            query: string;
            /**
             * @description Or the text itself.
             * @default null
             */
            text: string | null;
            /**
             * Format: float
             * @description Lowest probability that counts, 0 to 1; without it the engine decides.
             * @default null
             */
            threshold: number | null;
            /**
             * Format: uint
             * @description Only the so many best matches.
             * @default null
             */
            top: number | null;
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
        /** @description What to forget: exactly one of them. */
        ForgetRequest: {
            /**
             * @description All pages, questions, answers and corrections, and the library in the cache.
             * @default false
             */
            everything: boolean;
            /**
             * @description A question, on every page.
             * @default null
             */
            question_id: string | null;
            /**
             * @description A page.
             * @default null
             */
            url: string | null;
        };
        /** @description What was forgotten. */
        ForgetResponse: {
            /**
             * Format: uint64
             * @description Documents that were taken out of the library.
             */
            documents: number;
            /**
             * Format: uint64
             * @description Pages and questions.
             */
            forgotten: number;
        };
        /** @description One entity of the knowledge base. */
        KbEntity: {
            /** @description Other names. */
            aliases: string[];
            /** @description What sort of thing it is. */
            kind: string;
            /**
             * Format: float
             * @description How likely it is what was meant, 0 to 1.
             */
            probability: number;
            /** @description What the base says about it. */
            text: string;
            /** @description Its title. */
            title: string;
        };
        /** @description A query to the whole knowledge base. */
        KbFindRequest: {
            /**
             * @description Answer by the encoder alone.
             * @default false
             */
            fast: boolean;
            /** @description What to find, such as "Japanese car makers". */
            query: string;
            /**
             * Format: float
             * @description Lowest probability, 0 to 1; without it findall decides.
             * @default null
             */
            threshold: number | null;
            /**
             * Format: uint
             * @description At most so many entities, the likeliest: 1 to 200, 20 unless said otherwise.
             * @default null
             */
            top: number | null;
        };
        /** @description The entities that satisfy it. */
        KbFindResponse: {
            /** @description Likeliest first. */
            entities: components["schemas"]["KbEntity"][];
            /** @description True when a judge decided. */
            judged: boolean;
            /**
             * Format: uint64
             * @description How long it took, in milliseconds.
             */
            took_ms: number;
        };
        /** @description What a report says of an entity. */
        KbReportKind: "text" | "link";
        /** @description A person's word about an entity, which counts from the next query on. */
        KbReportRequest: {
            /** @description What is wrong about it. */
            about: components["schemas"]["KbReportKind"];
            /**
             * @description For a link: the name that does not mean it; no name does when it is left out.
             * @default null
             */
            name: string | null;
            /** @description Its title, or a name that means no other. */
            title: string;
            /** @description What is wrong, in the person's words. */
            words: string;
        };
        /** @description An answer that is remembered. */
        KnownAnswer: {
            /**
             * Format: float
             * @description How sure it is.
             */
            confidence: number;
            /** @description Where it comes from. */
            origin: components["schemas"]["WireOrigin"];
            /** @description Where it stands in the document that was named, if it still does. */
            span?: components["schemas"]["WireSpan"] | null;
            /** @description What it says. */
            text: string;
        };
        /**
         * @description An example, in a document that is held (`document`, `selection`, `sentence`) or in words (`entity`, `text`), which then
         *     is looked for in the server's library.
         */
        LikeRequest: {
            /**
             * @description A document that is held.
             * @default null
             */
            document: string | null;
            /**
             * @description Or the example's name.
             * @default null
             */
            entity: string | null;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /**
             * @description Where in it the example is named.
             * @default null
             */
            selection: components["schemas"]["WireSpan"] | null;
            /**
             * @description The sentence that shows it.
             * @default null
             */
            sentence: components["schemas"]["WireSpan"] | null;
            /**
             * @description Words that matter.
             * @default []
             */
            terms: components["schemas"]["WireTerm"][];
            /**
             * @description And its sentence.
             * @default null
             */
            text: string | null;
            /**
             * Format: uint
             * @description Only the so many best entities.
             * @default null
             */
            top: number | null;
        };
        /** @description What is like the example. */
        LikeResponse: {
            /** @description Entities, best first, none twice. */
            entities: components["schemas"]["WireAlike"][];
            /** @description What sort of thing the example is, where that is known. */
            kind?: string | null;
            /** @description Weights suggested for the words of the sentence. */
            suggested: components["schemas"]["WireTerm"][];
            /**
             * Format: uint64
             * @description How long it took.
             */
            took_ms: number;
        };
        /** @description What offsets count. */
        Offsets: "chars" | "utf16" | "bytes";
        /** @description A page. */
        PageName: {
            /** @description What it is called. */
            title?: string | null;
            /** @description Its address. */
            url: string;
        };
        /** @description A page or program that wants a token. */
        PairRequest: {
            /** @description The one-time code that `findall serve` printed. */
            code: string;
            /**
             * @description What to call it in the list of what is paired.
             * @default null
             */
            name: string | null;
            /**
             * @description The extension's origin; left out by programs that are no browser.
             * @default null
             */
            origin: string | null;
        };
        /** @description The token, shown this once. */
        PairResponse: {
            /** @description For `Authorization: Bearer TOKEN`. */
            token: string;
        };
        /** @description A file whose text is wanted. */
        ReadRequest: {
            /** @description The bytes, in Base64. */
            file: string;
            /**
             * @description What the file is called; its ending may tell the format.
             * @default
             */
            name: string;
        };
        /** @description The text of a file. */
        ReadResponse: {
            /** @description Its format. */
            format: string;
            /** @description What could not be read, and what to do; empty when everything was. */
            missing: string;
            /** @description The text of each page; all of it where the format has no pages. */
            pages: string[];
            /** @description What the file says that it is called; may be empty. */
            title: string;
            /**
             * Format: uint64
             * @description How long it took.
             */
            took_ms: number;
        };
        /** @description What may be remembered. */
        SettingsBody: {
            /** @description Pages that never are, as globs over hosts (`*.bank.example`) or addresses (`example.org/private/*`). */
            deny: string[];
            /** @description Whether anything new is. */
            remember: boolean;
        };
        /** @description A question, to find others like it. */
        SimilarQuery: {
            /**
             * @description The document one is on: its own page's questions are left out.
             * @default null
             */
            document: string | null;
            /**
             * Format: uint
             * @description At most so many.
             * @default null
             */
            limit: number | null;
            /** @description The question. */
            q: string;
        };
        /** @description One of them. */
        SimilarQuestion: {
            /** @description Its answers, best first. */
            answers: components["schemas"]["KnownAnswer"][];
            /** @description Where it was asked. */
            page: components["schemas"]["PageName"];
            /** @description Its id. */
            question_id: string;
            /**
             * Format: float
             * @description How alike they are, 1 for the same.
             */
            similarity: number;
            /** @description As it was last asked. */
            text: string;
        };
        /** @description Questions to other pages that ask something similar. */
        SimilarResponse: {
            /** @description Nearest first. */
            questions: components["schemas"]["SimilarQuestion"][];
        };
        /** @description Whether the server lives, or can answer. */
        StateResponse: {
            /** @description `alive`, `loading` or `ready`. */
            state: string;
            /** @description Which findall this is. */
            version: string;
        };
        /** @description What has been typed so far. */
        SuggestRequest: {
            /**
             * @description A document that is held.
             * @default null
             */
            document: string | null;
            /**
             * Format: uint
             * @description At most so many.
             * @default null
             */
            limit: number | null;
            /** @description What has been typed. */
            prefix: string;
            /**
             * @description The page whose questions are suggested.
             * @default null
             */
            url: string | null;
        };
        /** @description What may be meant. */
        SuggestResponse: {
            /** @description Best first. */
            suggestions: components["schemas"]["Suggestion"][];
        };
        /** @description One thing that may be meant. */
        Suggestion: {
            /** @description What it is. */
            kind: components["schemas"]["SuggestionKind"];
            /** @description What to put in place of what was typed. */
            text: string;
        };
        /** @description What a suggestion is. */
        SuggestionKind: "question" | "entity" | "heading" | "correction";
        /** @description One of them. */
        TopQuestion: {
            /** @description Its answers, best first. */
            answers: components["schemas"]["KnownAnswer"][];
            /**
             * Format: uint64
             * @description How often it was asked.
             */
            count: number;
            /**
             * Format: int64
             * @description When last, in milliseconds since 1970.
             */
            last_asked: number;
            /** @description Its id. */
            question_id: string;
            /** @description As it was last asked. */
            text: string;
        };
        /** @description Which page's questions. */
        TopQuestionsQuery: {
            /**
             * @description A document that is held: answers then say where they stand in it.
             * @default null
             */
            document: string | null;
            /**
             * Format: uint
             * @description At most so many.
             * @default null
             */
            limit: number | null;
            /**
             * @description What offsets count.
             * @default chars
             */
            offsets: components["schemas"]["Offsets"];
            /**
             * @description The page's address; or that of `document`.
             * @default null
             */
            url: string | null;
        };
        /** @description Questions that were put to a page, the most asked first. */
        TopQuestionsResponse: {
            /** @description The questions. */
            questions: components["schemas"]["TopQuestion"][];
        };
        /** @description An entity like the example. */
        WireAlike: {
            /** @description The sentence that shows it best. */
            best: components["schemas"]["WireBest"];
            /** @description What sort of thing it is. */
            kind: string;
            /** @description Whether the name is a title of the knowledge base. */
            known: boolean;
            /** @description Where it is named in the document that was asked; empty for the library. */
            mentions: components["schemas"]["WireSpan"][];
            /** @description Its name. */
            name: string;
            /**
             * Format: float
             * @description How well it fits; comparable within one answer only.
             */
            score: number;
        };
        /** @description One answer. */
        WireAnswer: {
            /** @description Other places with the same answer: all of them where a list was asked for. */
            also: components["schemas"]["WireSpan"][];
            /**
             * Format: float
             * @description Probability that it is right.
             */
            confidence: number;
            /** @description The items, where the answer enumerates several things. */
            items: components["schemas"]["WireQuote"][];
            /** @description Where it comes from. */
            origin: components["schemas"]["WireOrigin"];
            /** @description The sentence that says so. */
            sentence: components["schemas"]["WireQuote"];
            /** @description Where it stands. */
            span: components["schemas"]["WireSpan"];
            /** @description What stands there. */
            text: string;
        };
        /** @description A sentence that shows an entity. */
        WireBest: {
            /** @description The document of the library that it stands in. */
            path?: string | null;
            /** @description Where it stands in the document that was asked. */
            span?: components["schemas"]["WireSpan"] | null;
            /** @description What it says. */
            text: string;
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
        /** @description The order of matches. */
        WireOrder: "document" | "score";
        /** @description Where an answer comes from. */
        WireOrigin: "remembered" | "similar" | "reader" | "person" | "llm";
        /** @description How asking ended. */
        WireOutcome: "answered" | "guessed" | "not_here" | "cannot";
        /** @description A stretch of the text, and what stands there. */
        WireQuote: {
            /** @description Where. */
            span: components["schemas"]["WireSpan"];
            /** @description What. */
            text: string;
        };
        /** @description How much was read for a question. */
        WireReach: {
            /**
             * Format: uint
             * @description Passages there are; all were weighed by their words.
             */
            passages: number;
            /**
             * Format: uint8
             * @description Share of the text that they are, in percent.
             */
            percent: number;
            /**
             * Format: uint
             * @description Passages that the reader read.
             */
            read: number;
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
        /** @description A word and how much it matters. */
        WireTerm: {
            /**
             * Format: uint8
             * @description From 0, not at all, to 9.
             */
            weight: number;
            /** @description The word. */
            word: string;
        };
        /** @description What a person says about an answer. */
        WireVerdict: "wrong" | "right" | "correction";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
