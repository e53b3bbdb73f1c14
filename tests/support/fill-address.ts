/** An address of the route table with `values` for its parameters; `-` for those without. */
export function fillAddress(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? "-"));
}
