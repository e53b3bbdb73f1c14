import { Form } from "#app/ui/seller/form/form.tsx";

/** What the names of the listed products contain, and whether there are more of these than are listed. */
export type ProductSearch = { text: string; isMore: boolean };

/** The id of the search's form, which the page has beside the one with the products. */
const PRODUCT_SEARCH = "busca-de-produtos";

/** `keep`: what the page's address has beside the search. */
export function ProductSearchForm({ keep = {} }: { keep?: Record<string, string> }) {
  return (
    <Form id={PRODUCT_SEARCH} method="get" preventScrollReset>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </Form>
  );
}

/**
 * Works without JavaScript: its field and button belong to a form of their own. Nothing where all products are listed. `isNew`: what
 * has the products is not saved yet.
 */
export function ProductSearchField({
  text,
  isMore,
  listed,
  isNew = false,
}: ProductSearch & { listed: string; isNew?: boolean }) {
  if (!isMore && text === "") return null;
  return (
    <div className="flex flex-col gap-2 pb-4">
      <label htmlFor="produto" className="text-sm">
        {isMore ? `Estes são ${listed}. Busque os outros` : "Buscar pelo nome"}
      </label>
      <div className="flex gap-2">
        <input
          key={text}
          type="search"
          id="produto"
          name="produto"
          form={PRODUCT_SEARCH}
          maxLength={100}
          defaultValue={text}
          className="input min-h-11 min-w-0 flex-1"
        />
        <button type="submit" form={PRODUCT_SEARCH} className="btn min-h-11 border-base-300">
          Buscar
        </button>
      </div>
      <p className="text-base-content/70 text-sm">
        {isNew
          ? "Busque antes de preencher: o que já está preenchido ou marcado aqui se perde. Depois de salvar, você busca e marca outros."
          : "Salve antes de buscar: o que mudou aqui e não foi salvo se perde. O que não aparece fica como está."}
      </p>
    </div>
  );
}
