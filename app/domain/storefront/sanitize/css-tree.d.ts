export {};

/** Exports of css-tree that its types lack. */
declare module "css-tree" {
  /** Calls for each token, in order. Never recursive. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Record<string, number>;
}
