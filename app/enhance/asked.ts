/** The parameters of the page's address whose names match. */
export function asked(names: RegExp): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => names.test(name)));
}
