// Booleans as the database stores them.

export function toFlag(value: boolean | undefined): 0 | 1 {
  return value ? 1 : 0;
}
