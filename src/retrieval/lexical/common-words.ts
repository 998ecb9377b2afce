import type { BoardStatistics, SearchStore } from "#domain/answers/search.ts";
import type { QueryTerm, Question } from "./query.ts";
import { listQuestionForms } from "./weight-question.ts";

/** Postings that are read for one question: as many as all passages of the board have at most, or this many bytes, 3 to 4 for each. */
const MAX_POSTINGS = 300_000;
const MAX_POSTING_BYTES = 1_000_000;

/**
 * Leaves out the most common words of a question, as if they were stop words, until the postings of the others fit into the limits. Only
 * long questions on large boards exceed them. The rarest word always stays.
 */
export async function leaveOutCommonWords(
  search: Pick<SearchStore, "postingSizes">,
  { businessId, boardId }: { readonly businessId: string; readonly boardId: string },
  question: Question,
  { documents }: BoardStatistics,
): Promise<Question> {
  const forms = listQuestionForms(question);
  if (documents * forms.length <= MAX_POSTINGS) return question;
  const sizes = await search.postingSizes(businessId, boardId, forms);
  const measure = ({ forms: ofTerm }: QueryTerm): number => ofTerm.reduce((sum, form) => sum + (sizes.get(form) ?? 0), 0);
  let left = MAX_POSTING_BYTES;
  const select = (terms: readonly QueryTerm[], isFirstKept: boolean): ReadonlySet<QueryTerm> => {
    const kept = new Set<QueryTerm>();
    for (const term of terms.toSorted((a, b) => measure(a) - measure(b))) {
      const size = measure(term);
      if (size > left && !(isFirstKept && kept.size === 0)) break;
      left -= size;
      kept.add(term);
    }
    return kept;
  };
  // Words come first: prefixes only find other forms of them.
  const words = select(question.words, true);
  const prefixes = select(question.prefixes, false);
  if (words.size === question.words.length && prefixes.size === question.prefixes.length) return question;
  const keys = new Set([...words].map(({ key }) => key));
  return {
    ...question,
    words: question.words.filter((term) => words.has(term)),
    prefixes: question.prefixes.filter((term) => prefixes.has(term)),
    pairs: question.pairs.filter(([one, other]) => keys.has(one) && keys.has(other)),
  };
}
