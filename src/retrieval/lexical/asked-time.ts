/**
 * Words that only say that a time is asked for, as "when" does: "What time does it open?", "In welchem Jahr wurde …". Their nouns are
 * not in the answer, and a board that does not contain them would seem not to know what is asked.
 */
const ENGLISH =
  /(?<!\p{L})(?:(?:at|in|on|by) )?(?:what|which) (?:time|year|day|date|month)(?=(?: is| are| was| were| do| does| did| can| could| will| would| should| has| have|['’]s)(?!\p{L})|\s*\?|\s*$)/giu;
const OTHERS =
  /(?<!\p{L})(?:(?:um )?wie ?viel uhr|(?:in|zu|seit|bis) welche[mnr] (?:jahr|monat|uhrzeit|zeit)|an welchem (?:tag|datum)|(?:à|vers|jusqu'à|dès) quelle heure|(?:en|de) quelle année|quel jour|(?:a|hasta|desde) qué hora|en qué (?:año|mes|fecha)|qué día|(?:a|fino a) che ora|in (?:che|quale) (?:anno|mese|data)|(?:a|até) que horas?|em que (?:ano|mês|data|dia)|hoe laat|in welk(?:e)? (?:jaar|maand)|op welke (?:dag|datum)|hur dags|vilken tid|vilket år)(?!\p{L})/giu;

/** Replaces such words of a question by a blank. */
export const leaveOutAskedTime = (question: string): string => question.replaceAll(ENGLISH, " ").replaceAll(OTHERS, " ");
