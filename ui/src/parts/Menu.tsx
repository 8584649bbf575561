import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

/** A modal menu would hide the page that can still be reached with Tab from assistive technology; this one closes when it is left. */
const Root = (props: ComponentProps<typeof Radix.Root>) => <Radix.Root modal={false} {...props} />;

/** The menu stays in the landmark of its button: at the end of the document it would belong to none. */
const Portal = ({ children }: { children: ReactNode }) => children;

/** The page's drop-down menus: radix' own, but neither modal nor moved to another place of the document. */
export const DropdownMenu = {
  Root,
  Portal,
  Trigger: Radix.Trigger,
  Content: Radix.Content,
  Label: Radix.Label,
  Item: Radix.Item,
  ItemIndicator: Radix.ItemIndicator,
  CheckboxItem: Radix.CheckboxItem,
  RadioGroup: Radix.RadioGroup,
  RadioItem: Radix.RadioItem,
  Separator: Radix.Separator,
};
