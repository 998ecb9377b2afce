/** The views of the sample board, which are loaded together. */
export { SampleBanner } from "./sample-banner.tsx";
export { SampleOffer } from "./sample-offer.tsx";
export { SampleQuestions } from "./sample-questions.tsx";
