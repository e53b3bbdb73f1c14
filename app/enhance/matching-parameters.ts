/** The parameters of the page's URL whose names match. */
export function matchingParameters(names: RegExp): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(location.search)].filter(([name]) => names.test(name)));
}
