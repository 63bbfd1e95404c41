/** One diagram of each type that can be drawn without a browser. */
export const sources: Readonly<Record<string, string>> = {
  flowchart:
    "flowchart TD\n  A[Start] --> B{Valid?}\n  B -->|yes| C[(Store)]\n  subgraph api [API]\n    C --> D\n  end\n  style D fill:#f96\n  classDef deep fill:#1e3a8a\n  class C deep",
  sequence:
    "sequenceDiagram\n  autonumber\n  actor U as User\n  U->>+S: GET /a\n  Note over U,S: hello\n  alt one\n    S-->>-U: 200\n  else two\n    S-xU: lost\n  end\n  rect rgb(200, 220, 255)\n    U-)S: async\n  end",
  state:
    "stateDiagram-v2\n  [*] --> Idle\n  state Run {\n    [*] --> A\n  }\n  Idle --> Run: go\n  note right of Idle: waits",
  class:
    'classDiagram\n  class Animal {\n    +String name\n    +eat() bool\n  }\n  Animal <|-- Duck : is\n  Animal "1" o-- "many" Food',
  er: "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  CUSTOMER {\n    string name PK\n  }",
  gantt:
    "gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section A\n  One :done, a, 2024-01-01, 5d\n  Two :crit, after a, 3d",
  pie: 'pie title Share\n  "a" : 70\n  "b" : 30',
  git: 'gitGraph\n  commit id: "init"\n  branch dev\n  commit\n  checkout main\n  merge dev',
  journey: "journey\n  title Day\n  section Work\n    Tea: 5: Me\n    Talk: 2: Me, You",
  timeline: "timeline\n  title Past\n  2002 : One\n  2004 : Two : Three",
  quadrant: "quadrantChart\n  title Reach\n  x-axis Low --> High\n  quadrant-1 Grow\n  A: [0.3, 0.6]",
  xychart: "xychart-beta\n  x-axis [a, b]\n  bar [1, 2]\n  line [2, 1]",
  mindmap: "mindmap\n  root((Middle))\n    One\n      Two\n    [Three]",
  requirement:
    "requirementDiagram\n  requirement r {\n    id: 1\n    text: words\n  }\n  element e {\n    type: sim\n  }\n  e - satisfies -> r",
  c4: 'C4Context\n  Person(a, "Customer")\n  System(b, "Bank")\n  Rel(a, b, "Uses")',
  block: 'block-beta\n  columns 2\n  a["Wide"]:2\n  b c',
  architecture:
    "architecture-beta\n  group api(cloud)[API]\n  service db(database)[DB] in api\n  service web(server)[Web] in api\n  db:L -- R:web",
  packet: 'packet-beta\n  0-15: "Port"\n  16-31: "Other"',
  kanban: "kanban\n  Todo\n    [Write]\n  Done\n    [Read]",
  sankey: "sankey-beta\n\nA,B,10\nA,C,5",
  radar: 'radar-beta\n  axis a["A"], b["B"], c["C"]\n  curve x{1, 2, 3}',
  treemap: 'treemap-beta\n"A"\n    "A1": 10\n    "A2": 20',
};
