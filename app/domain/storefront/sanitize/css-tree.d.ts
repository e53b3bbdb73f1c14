export {};

/** What css-tree exports and its types leave out. */
declare module "css-tree" {
  /** Calls for each token, in order. Never recursive. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Record<string, number>;
}
