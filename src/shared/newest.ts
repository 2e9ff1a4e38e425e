/**
 * Lets go of the oldest entries of a map until it holds `most`. An entry is as old as its place, so one that is to count as new
 * is deleted before it is set again. Asked after each entry, this costs nothing while there is room.
 */
export function keepNewest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  for (const key of map.keys()) {
    map.delete(key)
    if (map.size <= most) return
  }
}
