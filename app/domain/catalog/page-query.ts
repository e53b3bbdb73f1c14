/** Which page of products an address asks for: `?search=`, `?before=`, `?after=`; what is no number is not there. */
export function readPageQuery(query: URLSearchParams): {
  search: string;
  before: number | undefined;
  after: number | undefined;
} {
  return {
    search: (query.get("search") ?? "").trim(),
    before: readId(query.get("before")),
    after: readId(query.get("after")),
  };
}

function readId(text: string | null): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}
