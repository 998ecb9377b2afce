import type { Constant } from "./constants.ts";

export type Half = "training" | "held out";

/** What came of fitting one constant; `verdict` says why a value was or was not taken. */
export type Fit = {
  readonly name: string;
  readonly today: number;
  readonly fitted: number;
  readonly training: readonly [before: number, after: number];
  readonly heldOut: readonly [before: number, after: number];
  readonly verdict: "taken" | "no gain" | "worse on held-out data";
};

export type DescentOptions = {
  /** Values to try for a constant, besides its current one. */
  readonly listValues: (name: string, value: number) => readonly number[];
  /** Quality on one half of the questions with the current constants; higher is better, and it must be deterministic. */
  readonly measure: (name: string, half: Half) => Promise<number>;
  /** Rounds over all constants; it ends early when a round changes nothing. */
  readonly rounds: number;
  /** Smaller gains on the training half are taken for noise. */
  readonly minGain: number;
  /** Checked before each measurement; constants that were not reached keep their values. */
  readonly isTimeUp: () => boolean;
};

/**
 * Coordinate descent: for one constant after the other, tries the values of a grid around it on the training half and takes the
 * best, provided that it does no harm on the held-out half. Leaves each constant at its fitted value.
 */
export async function fitConstants(constants: readonly Constant[], options: DescentOptions): Promise<Fit[]> {
  const fits = new Map<string, Fit>();
  for (let round = 0; round < options.rounds; round++) {
    let isChanged = false;
    for (const constant of constants) {
      if (options.isTimeUp()) return [...fits.values()];
      const fit = await fitConstant(constant, options);
      if (fit.verdict === "taken") isChanged = true;
      fits.set(constant.name, joinFits(fits.get(constant.name), fit));
    }
    if (!isChanged) break;
  }
  return [...fits.values()];
}

async function fitConstant(constant: Constant, { listValues, measure, minGain, isTimeUp }: DescentOptions): Promise<Fit> {
  const { name } = constant;
  const today = constant.get();
  const trainingBefore = await measure(name, "training");
  const heldOutBefore = await measure(name, "held out");
  let best = { value: today, quality: trainingBefore };
  for (const value of listValues(name, today)) {
    if (isTimeUp()) break;
    constant.set(value);
    const quality = await measure(name, "training");
    if (quality > best.quality) best = { value, quality };
  }
  const isGain = best.quality >= trainingBefore + minGain;
  constant.set(isGain ? best.value : today);
  const heldOutAfter = isGain ? await measure(name, "held out") : heldOutBefore;
  const isHarmful = heldOutAfter < heldOutBefore;
  if (isHarmful) constant.set(today);
  return {
    name,
    today,
    fitted: best.value,
    training: [trainingBefore, best.quality],
    heldOut: [heldOutBefore, heldOutAfter],
    verdict: isHarmful ? "worse on held-out data" : isGain ? "taken" : "no gain",
  };
}

/** A constant that was changed in an earlier round stays changed. */
function joinFits(earlier: Fit | undefined, later: Fit): Fit {
  if (earlier?.verdict !== "taken") return later;
  if (later.verdict !== "taken") return earlier;
  return {
    ...later,
    today: earlier.today,
    training: [earlier.training[0], later.training[1]],
    heldOut: [earlier.heldOut[0], later.heldOut[1]],
  };
}
