/** Edit distance with a budget: how many letters were missed, added, changed or swapped with their neighbour. */

/** Words longer than this are not compared; no one misspells them by a letter or two. */
export const LONGEST_WORD = 48;

const WIDTH = LONGEST_WORD + 1;
const rows = [new Uint8Array(WIDTH), new Uint8Array(WIDTH), new Uint8Array(WIDTH)] as const;

/** The optimal-string-alignment distance of two words, or undefined when it is over `budget`. */
export function distanceWithin(
  left: readonly number[],
  right: readonly number[],
  budget: number,
): number | undefined {
  if (Math.abs(left.length - right.length) > budget) return undefined;
  if (left.length > LONGEST_WORD || right.length > LONGEST_WORD) return undefined;
  let [before, previous, current] = rows;
  for (let column = 0; column <= right.length; column++) previous[column] = column;
  for (let row = 1; row <= left.length; row++) {
    current[0] = row;
    let best = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current[column] = cost;
      best = Math.min(best, cost);
    }
    if (best > budget) return undefined;
    [before, previous, current] = [previous, current, before];
  }
  const distance = previous[right.length] ?? 0;
  return distance <= budget ? distance : undefined;
}
