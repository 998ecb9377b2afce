/** Where an element is: in the article, in the page's main part beside the article, or outside of the main part. */
export type Placement = "article" | "main" | "outside";
