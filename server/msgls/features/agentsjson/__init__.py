"""What editors offer in ``agents.json``, beside a JSON service or without one.

The file is JSON, and an editor may have a service for that: VS Code has. What such a service
does is not done again: nothing is folded, formatted or coloured here, and broken JSON is told of
by a rule of its own, which a client can switch off. Where both have something to say, the client
chooses: VS Code shows its own outline, and a key or value that stands in a like object of the
file (``Item.is_plain``) is left to its JSON service, for it says at its start that it has one.

What only we know is here: which agents, boot messages and tasks there are, what the keys mean,
where ``path`` leads, and which message files say an agent's name.
"""
