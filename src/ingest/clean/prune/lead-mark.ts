/** Attribute of elements that were put back after the article was selected. They are not removed because of their names. */
export const LEAD_MARK = "data-lead";
