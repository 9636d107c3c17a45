import type { ComponentProps } from 'react';

interface AmountTextProps extends ComponentProps<'span'> {
  text: string;
  exact: string;
}

/** An amount; where its text is in short, it is whole in its title and for who can't see it. */
export function AmountText({ text, exact, ...props }: AmountTextProps) {
  if (text === exact) return <span {...props}>{text}</span>;
  return (
    <span {...props} title={exact}>
      <span aria-hidden>{text}</span>
      <span className="unseen">{exact}</span>
    </span>
  );
}
