/** Scales a vector to length 1; a zero vector stays unchanged. */
export function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const part of vector) square += part * part;
  if (square === 0) return vector;
  const length = Math.sqrt(square);
  return vector.map((part) => part / length);
}
