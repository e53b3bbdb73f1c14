import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { type FormCard, MAX_PRODUCTS } from "#app/domain/delivery/form-card.ts";
import type { NamedClass } from "#app/domain/delivery/member-area/settings.ts";
import { ClassesCard, type ItemChoice } from "#app/ui/seller/destination/classes-card.tsx";
import { EventsCard } from "#app/ui/seller/destination/events-card.tsx";
import { FieldsCard } from "#app/ui/seller/destination/fields-card.tsx";
import { type ProductSearch, ProductSearchField } from "#app/ui/seller/destination/product-search.tsx";
import { ProductSwitches, type SwitchedProduct } from "#app/ui/seller/destination/product-switches.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FieldMeta, rowsOf } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { type ProductChoice, ProductsCard } from "#app/ui/seller/product/products-card.tsx";

type Values = { [name: string]: unknown };
type Fields = { [name: string]: FieldMetadata<unknown, Values, string[]> };

/** What a seller chooses from in the cards that offer a choice. */
export type Choices = {
  products?: ProductChoice[];
  items?: ItemChoice[];
  known?: NamedClass[];
  switched?: SwitchedProduct[];
  search?: ProductSearch;
};

/** A destination's form, by the cards of its kind. Give it the key of `useRestoredForm`. */
export function DestinationForm(props: {
  id: string;
  cards: FormCard[];
  choices: Choices;
  values: Values;
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
  /** Above the cards. */
  notice?: ReactNode;
}) {
  const { id, cards, choices, values, submit } = props;
  const [form, meta] = useForm<Record<string, unknown>>({
    id,
    lastResult: props.reply,
    defaultValue: values as Record<string, string>,
  });
  // Its fields are known at run time alone.
  const fields = meta as Fields;
  return (
    <RestoredForm
      {...getFormProps(form)}
      version={props.version}
      reply={props.reply}
      reload={props.reload}
      onSaved={props.onSaved}
      intent="save"
      className="group flex flex-col gap-6"
    >
      {typeof values.kind === "string" && <input type="hidden" name="kind" value={values.kind} />}
      <FormErrors
        errors={form.errors}
        fields={cards.flatMap((card) => labelled(card, fields, choices.items ?? []))}
      />
      {props.notice}
      {cards.map((card) => (
        <CardOf
          key={"title" in card ? card.title : card.type}
          {...{ card, fields, choices }}
          isNew={props.version === undefined}
        />
      ))}
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        {submit}
      </SubmitButton>
    </RestoredForm>
  );
}

function CardOf({
  card,
  fields,
  choices,
  isNew,
}: {
  card: FormCard;
  fields: Fields;
  choices: Choices;
  isNew: boolean;
}) {
  switch (card.type) {
    case "fields":
      return <FieldsCard card={card} fields={fields} />;
    case "events":
      return <EventsCard field={fields.events!} text={card.text} events={card.events} />;
    case "products":
      return (
        <ProductsCard
          scope={fields.scope!}
          field={fields.products!}
          products={choices.products ?? []}
          search={
            choices.search && (
              <ProductSearchField
                {...choices.search}
                isNew={isNew}
                listed={`os marcados, e os primeiros ${MAX_PRODUCTS} pelo nome`}
              />
            )
          }
        />
      );
    case "classes":
      return (
        <ClassesCard field={classesOf(fields)} items={choices.items ?? []} known={choices.known ?? []} />
      );
    case "product-switches":
      return (
        <ProductSwitches
          text={card.text}
          products={choices.switched ?? []}
          search={choices.search ?? { text: "", isMore: false }}
          name={fields.products!.name}
          on={fields.products!.initialValue as string[] | string | undefined}
        />
      );
  }
}

type ClassRow = { item: string; ids: string };

function classesOf(fields: Fields): FieldMetadata<ClassRow[]> {
  return fields.classes as FieldMetadata<unknown> as FieldMetadata<ClassRow[]>;
}

/** The fields of a card whose errors are listed above the form. */
function labelled(card: FormCard, fields: Fields, items: ItemChoice[]): [FieldMeta, string][] {
  switch (card.type) {
    case "fields":
      return card.fields.map(({ name, label }) => [fields[name]!, label]);
    case "events":
      return [[fields.events!, "Eventos"]];
    case "classes":
      return rowsOf(classesOf(fields)).map((row, at) => [row.getFieldset().ids, items[at]?.name ?? "Turmas"]);
    default:
      return [[fields.products!, "Produtos"]];
  }
}
