;; Deployed as second-try, and refused by its last line.
(define-read-only (get-answer) (ok u41))
(unwrap-panic (if true none (some u1)))
